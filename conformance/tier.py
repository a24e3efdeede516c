"""Tiers of cases: all of them, or the few of ``smoke.json`` that still find every catalogued fault.

The file is written by ``faults --smoke`` and lists ids without their hash, so that it outlives a changed case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from conformance import schema
from conformance.case import Case
from conformance.data import data_root
from conformance.errors import Location, NothingSelected, Problem
from conformance.load import read_valid

SMOKE, DEFAULT = "smoke", "default"
TIERS = (SMOKE, DEFAULT)
SMOKE_FILE = "smoke.json"


@cache
def load_smoke(root: Path | None = None) -> frozenset[str]:
    """Names of the cases of the smoke tier; raises InvalidData."""
    _, document = read_valid((root or data_root()) / SMOKE_FILE, schema.SMOKE)
    return frozenset(document["cases"])


def name_of(case_id: str) -> str:
    """An id without its hash."""
    return case_id.rpartition(".")[0]


def of_tier(cases: Sequence[Case], tier: str) -> list[Case]:
    """Cases of a tier, in order; raises NothingSelected where there are cases and none of them is in it."""
    if tier == DEFAULT:
        return list(cases)
    chosen = [case for case in cases if name_of(case.id) in load_smoke()]
    if cases and not chosen:
        raise NothingSelected(f"none of {len(cases)} cases is in the {tier} tier; --tier {DEFAULT} has them all")
    return chosen


def stale_names(cases: Iterable[Case]) -> Iterator[Problem]:
    """A problem for each name of the smoke tier that no case has."""
    path = data_root() / SMOKE_FILE
    for name in sorted(load_smoke() - {name_of(case.id) for case in cases}):
        yield Problem(Location(path), f"{name} is no case", "write the file again: conformance faults --smoke")
