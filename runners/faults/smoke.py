"""The smoke tier: few small cases that touch what contracts declare and catch what the whole set catches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from conformance.canonical import canonical
from conformance.case_id import name_of
from conformance.cells import REFUSAL
from conformance.coverage import coverage_of
from conformance.data import data_root
from conformance.load import load_contracts
from conformance.tier import SMOKE_FILE
from conformance.writing import write_text
from runners.faults.catalogue import BY_ID
from runners.faults.fault import Fault
from runners.faults.hunt import Catch, Task, cases_of, hunt, tasks_of

_ABOUT = (
    "A small set of cases that touches every type and constraint of every API and finds nearly every fault of the "
    "catalogue that the whole set finds; computed by `conformance faults --smoke`, not typed."
)
_SEVERAL = frozenset({"sequence", "repeated"})
_TOUCHED = ("dtype", "empty", REFUSAL)
"""Axes of cells of which every one is in the smoke tier."""
Mutant = tuple[str, str, str]
"""Fault, API and product."""


def smoke_cases(faults: Sequence[Fault], catches: Iterable[Catch], jobs: int) -> list[str]:
    """Names of the cases of a smoke tier, sorted, given a first catch of every fault and place.

    Cases that touch every type and constraint come first. What they do not catch of the faults without memory is left
    to the cases that caught it first. Faults with memory, for which the cases before count too, are run over what that
    gives and the cases of several calls; where one is still missed its first catching case joins, with the one before.
    """
    first = {_mutant(catch): catch for catch in catches}
    chosen = {case_id for api in load_contracts() for case_id in _touching(api)}
    steady = [fault for fault in faults if not fault.stateful]
    found = {_mutant(catch) for catch in _caught(tasks_of(steady, names=_names(chosen)), jobs)}
    chosen |= {c.case for mutant, c in first.items() if mutant not in found and not BY_ID[c.fault].stateful}
    stateful = [fault for fault in faults if fault.stateful]
    together = _names({*chosen, *_of_several_calls()})
    caught = _caught(tasks_of(stateful, names=together), jobs)
    chosen |= {catch.case for catch in caught}
    found = {_mutant(catch) for catch in caught}
    for mutant, catch in first.items():
        if BY_ID[catch.fault].stateful and mutant not in found:
            chosen |= _with_the_one_before(catch)
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
    return cover(by_case, set(cells))


def _caught(tasks: Sequence[Task], jobs: int) -> list[Catch]:
    return [catch for _, found in hunt(tasks, jobs) for catch in found]


def _of_several_calls() -> Iterator[str]:
    """Ids of small cases that make earlier calls or repeat their own."""
    for api in load_contracts():
        yield from (case.id for case in cases_of(api) if "small" in case.facets and _SEVERAL & case.facets)


def cover(by_case: dict[str, set[object]], wanted: set[object]) -> set[str]:
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
    write_text(path, canonical(document, order))
    return path


def _mutant(catch: Catch) -> Mutant:
    return (catch.fault, catch.api, catch.product)


def _with_the_one_before(catch: Catch) -> set[str]:
    ids = [case.id for case in cases_of(catch.api) if catch.product in case.products]
    at = ids.index(catch.case)
    return set(ids[max(at - 1, 0) : at + 1])
