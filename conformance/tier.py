"""Tiers of cases, each part of the next: ``smoke`` ⊂ ``default`` ⊂ ``large`` ⊂ ``huge``.

A group says of its cases that they are ``large`` or ``huge``; ``smoke.json`` names the cases of the smoke tier. It is
written by ``faults --smoke`` and lists ids without their hash, so that it outlives a changed case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from conformance import schema
from conformance.card import DEFAULT, HUGE, LARGE, L, Listed
from conformance.case_id import name_of
from conformance.data import data_root
from conformance.errors import Location, NothingSelected, Problem

SMOKE = "smoke"
TIERS = (SMOKE, DEFAULT, LARGE, HUGE)
"""From the fewest cases to all of them."""
SMOKE_FILE = "smoke.json"


@cache
def load_smoke(root: Path | None = None) -> frozenset[str]:
    """Names of the cases of the smoke tier; raises InvalidData."""
    _, document = schema.read_valid((root or data_root()) / SMOKE_FILE, schema.SMOKE)
    return frozenset(document["cases"])


def is_in(case: Listed, tier: str) -> bool:
    """Whether a tier has the case."""
    if tier == SMOKE:
        return name_of(case.id) in load_smoke()
    return TIERS.index(case.tier) <= TIERS.index(tier)


def of_tier(cases: Sequence[L], tier: str, named: Iterable[str] = ()) -> list[L]:
    """Cases of a tier, and those ``named`` by their whole id, in order; raises NothingSelected where none is left."""
    exactly = set(named)
    chosen = [case for case in cases if is_in(case, tier) or case.id in exactly]
    if cases and not chosen:
        enough = next(wider for wider in TIERS if any(is_in(case, wider) for case in cases))
        raise NothingSelected(f"none of {len(cases)} cases is in the {tier} tier; --tier {enough} has some")
    return chosen


def stale_names(cases: Iterable[Listed]) -> Iterator[Problem]:
    """A problem for each name of the smoke tier that no case has."""
    path = data_root() / SMOKE_FILE
    for name in sorted(load_smoke() - {name_of(case.id) for case in cases}):
        yield Problem(Location(path), f"{name} is no case", "write the file again: conformance faults --smoke")
