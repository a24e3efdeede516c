"""The smoke tier: few small cases that touch what contracts declare and catch what the whole set catches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from conformance.canonical import canonical
from conformance.case_id import name_of
from conformance.cells import REFUSAL
from conformance.coverage import coverage_of
from conformance.data import data_root
from conformance.load import load_contracts
from conformance.tier import SMOKE_FILE
from runners.faults.catalogue import BY_ID
from runners.faults.fault import Fault
from runners.faults.hunt import Catch, Task, cases_of, hunt, tasks_of

_ABOUT = (
    "A small set of cases that touches every type and constraint of every API and finds nearly every fault of the "
    "catalogue that the whole set finds; computed by `conformance faults --smoke`, not typed."
)
_LARGEST = 1 << 12
"""Elements of the largest tensor of a case that is tried against every fault."""
_SEVERAL = frozenset({"sequence", "repeated"})
_TOUCHED = ("dtype", "empty", REFUSAL)
"""Axes of cells of which every one is in the smoke tier."""
Mutant = tuple[str, str, str]
"""Fault, API and product."""


def smoke_cases(faults: Sequence[Fault], catches: Iterable[Catch], jobs: int) -> list[str]:
    """Names of the cases of a smoke tier, sorted, given a first catch of every fault and place.

    Cases that touch every type and constraint come first. What they do not catch is left to those that caught something
    first: of these few cases each is tried against every fault without memory. Faults with memory, for which the cases
    before count too, are run over what that gives and the cases of several calls; where one is still missed its first
    catching case joins, with the case before it.
    """
    first = {_mutant(catch): catch for catch in catches}
    chosen = {case_id for api in load_contracts() for case_id in _touching(api)}
    steady = [fault for fault in faults if not fault.stateful and not fault.isolated]
    candidates = _names({*chosen, *(catch.case for catch in first.values())})
    tasks = [replace(task, max_elements=_LARGEST) for task in tasks_of(steady, names=candidates, every="case")]
    chosen |= _cover_all(_caught(tasks, jobs), [c for c in first.values() if not BY_ID[c.fault].stateful], chosen)
    stateful = [fault for fault in faults if fault.stateful]
    together = _names({*chosen, *_of_several_calls()})
    chosen |= _cover_all(_caught(tasks_of(stateful, names=together, every="case"), jobs), [], chosen)
    found = {_mutant(catch) for catch in _caught(tasks_of(faults, names=_names(chosen)), jobs)}
    for mutant in first.keys() - found:
        chosen |= _with_the_one_before(first[mutant])
    return sorted(_names(chosen))


def _names(ids: Iterable[str]) -> frozenset[str]:
    return frozenset(name_of(case_id) for case_id in ids)


def _touching(api: str) -> set[str]:
    """Ids of few cases that cover the cells of an API that every smoke run touches."""
    rows = coverage_of(load_contracts()[api], cases_of(api))
    cells = {row.cell: row.ids for row in rows if row.ids and row.cell.axis in _TOUCHED}
    by_case: dict[str, set[object]] = {}
    for cell, ids in cells.items():
        for case_id in ids:
            by_case.setdefault(case_id, set()).add(cell)
    return _greedy(by_case, set(cells))


def _caught(tasks: Sequence[Task], jobs: int) -> list[Catch]:
    return [catch for _, found in hunt(tasks, jobs) for catch in found]


def _cover_all(matrix: Sequence[Catch], further: Sequence[Catch], already: set[str]) -> set[str]:
    """Ids of few cases that catch what those chosen already do not."""
    both = [*matrix, *further]
    left = {_mutant(catch) for catch in both} - {_mutant(catch) for catch in both if catch.case in already}
    return cover(both, left)


def _of_several_calls() -> Iterator[str]:
    """Ids of small cases that make earlier calls or repeat their own."""
    for api in load_contracts():
        yield from (case.id for case in cases_of(api) if "small" in case.facets and _SEVERAL & case.facets)


def cover(catches: Iterable[Catch], wanted: set[Mutant]) -> set[str]:
    """Ids of few cases that together catch all that is wanted; of equals the first by id."""
    by_case: dict[str, set[object]] = {}
    for catch in catches:
        by_case.setdefault(catch.case, set()).add(_mutant(catch))
    return _greedy(by_case, set(wanted))


def _greedy(by_case: dict[str, set[object]], wanted: set[object]) -> set[str]:
    """Keys whose sets together hold what is wanted, as far as any does: always the one that adds most."""
    chosen: set[str] = set()
    left = set(wanted)
    while left and by_case:
        best = max(sorted(by_case), key=lambda case: len(by_case[case] & left))
        if not by_case[best] & left:
            break
        chosen.add(best)
        left -= by_case.pop(best)
    return chosen


def write_smoke(names: Iterable[str]) -> Path:
    """Write ``smoke.json``; returns its path."""
    path = data_root() / SMOKE_FILE
    document = {"$schema": "schemas/smoke-1.schema.json", "about": _ABOUT, "cases": list(names)}
    order = json.loads((data_root() / "schemas" / "smoke-1.schema.json").read_text("utf-8"))
    path.write_text(canonical(document, order), encoding="utf-8")
    return path


def _mutant(catch: Catch) -> Mutant:
    return (catch.fault, catch.api, catch.product)


def _with_the_one_before(catch: Catch) -> set[str]:
    ids = [case.id for case in cases_of(catch.api) if catch.product in case.products]
    at = ids.index(catch.case)
    return set(ids[max(at - 1, 0) : at + 1])
