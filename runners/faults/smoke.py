"""The smallest set of cases that still catches what the whole set catches: greedy set cover over fault × case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from conformance.canonical import canonical
from conformance.data import data_root
from conformance.load import load_contracts
from conformance.tier import SMOKE_FILE, name_of
from runners.faults.catalogue import BY_ID
from runners.faults.fault import Fault
from runners.faults.hunt import Catch, Task, cases_of, hunt, tasks_of

_ABOUT = (
    "A small set of cases that still finds nearly every fault of the catalogue that the whole set finds; computed by "
    "`conformance faults --smoke`, not typed."
)
_LARGEST = 1 << 12
"""Elements of the largest tensor of a case that is tried against every fault."""
_SEVERAL = frozenset({"sequence", "repeated"})
Mutant = tuple[str, str, str]
"""Fault, API and product."""


def smoke_cases(faults: Sequence[Fault], catches: Iterable[Catch], jobs: int) -> list[str]:
    """Names of the cases of a smoke tier, sorted, given a first catch of every fault and place.

    Every case that is not large is tried against faults without memory. Faults with memory, for which the cases before
    count too, are run over what that gives and the cases of several calls; where one is still missed its first catching
    case joins, with the case before it.
    """
    first = {_mutant(catch): catch for catch in catches}
    steady = [fault for fault in faults if not fault.stateful and not fault.isolated]
    tasks = [replace(task, max_elements=_LARGEST) for task in tasks_of(steady, every="case")]
    chosen = _cover_all(_caught(tasks, jobs), [c for c in first.values() if not BY_ID[c.fault].stateful])
    stateful = [fault for fault in faults if fault.stateful]
    together = sorted(chosen | set(_of_several_calls()))
    chosen |= _cover_all(_caught(tasks_of(stateful, selectors=together, every="case"), jobs), [])
    found = {_mutant(catch) for catch in _caught(tasks_of(faults, selectors=sorted(chosen)), jobs)}
    for mutant in first.keys() - found:
        chosen |= _with_the_one_before(first[mutant])
    return sorted(name_of(case) for case in chosen)


def _caught(tasks: Sequence[Task], jobs: int) -> list[Catch]:
    return [catch for _, found in hunt(tasks, jobs) for catch in found]


def _cover_all(matrix: Sequence[Catch], further: Sequence[Catch]) -> set[str]:
    both = [*matrix, *further]
    return cover(both, {_mutant(catch) for catch in both})


def _of_several_calls() -> Iterator[str]:
    """Ids of small cases that make earlier calls or repeat their own."""
    for api in load_contracts():
        yield from (case.id for case in cases_of(api) if "small" in case.facets and _SEVERAL & case.facets)


def cover(catches: Iterable[Catch], wanted: set[Mutant]) -> set[str]:
    """Ids of few cases that together catch all that is wanted; of equals the first by id."""
    by_case: dict[str, set[Mutant]] = {}
    for catch in catches:
        by_case.setdefault(catch.case, set()).add(_mutant(catch))
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
