"""What a hunt came to: fault by fault where it was caught and where not, and by class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.card import DEFAULT
from conformance.load import load_contracts
from conformance.tier import SMOKE
from runners.faults.fault import EVERYWHERE, Difficulty, Fault, FaultClass, Scope
from runners.faults.hunt import Catch

LEAST_SHARE = 0.95
"""Least share of hard faults that all cases must find, and of all faults that the smoke tier must find."""
Place = tuple[str, str]
"""API and product."""


@dataclass(frozen=True, slots=True)
class Score:
    """One fault: the implementations it is in, and the catches by place; a place may have several catches."""

    fault: Fault
    places: tuple[Place, ...]
    catches: Mapping[Place, tuple[Catch, ...]]

    @property
    def missed(self) -> tuple[Place, ...]:
        """Implementations in which no case shows it."""
        return tuple(place for place in self.places if place not in self.catches)

    @property
    def is_caught(self) -> bool:
        """Whether it is found in every implementation that has it."""
        return bool(self.places) and not self.missed


@dataclass(frozen=True, slots=True)
class Row:
    """Counts of one class, or of one difficulty: faults, and implementations that have them."""

    name: str
    faults: int
    caught: int
    missed: int
    not_applicable: int
    implementations: int
    found: int


def scores_of(faults: Iterable[Fault], catches: Iterable[Catch], scope: Scope = EVERYWHERE) -> list[Score]:
    """A score for each fault, in order."""
    contracts = load_contracts()
    by_fault: dict[str, dict[Place, list[Catch]]] = {}
    for catch in catches:
        by_fault.setdefault(catch.fault, {}).setdefault((catch.api, catch.product), []).append(catch)
    return [
        Score(
            fault,
            tuple(scope.places(fault, contracts)),
            {place: tuple(found) for place, found in by_fault.get(fault.id, {}).items()},
        )
        for fault in faults
    ]


def by_class(scores: Iterable[Score]) -> list[Row]:
    """One row a class that occurs, in the order of the classes."""
    known = list(scores)
    rows = (_row(kind.value, [s for s in known if s.fault.kind is kind]) for kind in FaultClass)
    return [row for row in rows if row.faults]


def by_difficulty(scores: Iterable[Score]) -> list[Row]:
    """One row a difficulty that occurs."""
    known = list(scores)
    rows = (_row(level.value, [s for s in known if s.fault.difficulty is level]) for level in Difficulty)
    return [row for row in rows if row.faults]


def total(scores: Iterable[Score]) -> Row:
    """One row for everything."""
    return _row("all", list(scores))


def _row(name: str, scores: Sequence[Score]) -> Row:
    tried = [score for score in scores if score.places]
    caught = sum(score.is_caught for score in tried)
    implementations = sum(len(score.places) for score in tried)
    found = implementations - sum(len(score.missed) for score in tried)
    return Row(name, len(scores), caught, len(tried) - caught, len(scores) - len(tried), implementations, found)


def why_red(scores: Sequence[Score], tier: str = DEFAULT) -> list[str]:
    """What falls short of the aim, in words; nothing when it is met. The smoke tier may miss one fault in twenty."""
    if not any(score.places for score in scores):
        return ["no fault applies to any implementation"]
    if tier == SMOKE:
        row = total(scores)
        enough = row.caught >= LEAST_SHARE * (row.caught + row.missed)
        return (
            []
            if enough
            else [f"{row.caught} of {row.caught + row.missed} faults are caught, {LEAST_SHARE:.0%} are due"]
        )
    missed = [s for s in scores if s.places and not s.is_caught]
    soft = [s for s in missed if s.fault.difficulty is not Difficulty.HARD]
    hard = [s for s in scores if s.places and s.fault.difficulty is Difficulty.HARD]
    found = sum(score.is_caught for score in hard)
    complaints = [f"{len(soft)} easy or medium faults are missed"] if soft else []
    if hard and found < LEAST_SHARE * len(hard):
        complaints.append(f"{found} of {len(hard)} hard faults are caught, {LEAST_SHARE:.0%} are due")
    return complaints


def as_json(scores: Sequence[Score]) -> dict[str, Any]:
    """Everything, for other tools."""
    groups: dict[str, set[str]] = {}
    for score in scores:
        for found in score.catches.values():
            for catch in found:
                groups.setdefault(catch.group, set()).add(score.fault.id)
    return {
        "faults": [_fault_json(score) for score in scores],
        "groups": {group: sorted(ids) for group, ids in sorted(groups.items())},
        "difficulties": {row.name: {"faults": row.faults, "caught": row.caught} for row in by_difficulty(scores)},
    }


def _fault_json(score: Score) -> dict[str, Any]:
    fault = score.fault
    return {
        "id": fault.id,
        "class": fault.kind.value,
        "difficulty": fault.difficulty.value,
        "about": fault.about,
        "source": fault.source,
        "caught": score.is_caught,
        "no_fault": dict(fault.no_fault),
        "implementations": [_place_json(score, place) for place in score.places],
    }


def _place_json(score: Score, place: Place) -> dict[str, Any]:
    found = score.catches.get(place, ())
    caught = [{"case": catch.case, "verdict": catch.verdict, "reason": catch.reason} for catch in found]
    return {"api": place[0], "product": place[1], "caught_by": caught}


def cases_that_catch(scores: Iterable[Score]) -> Counter[str]:
    """How many implementations each case finds a fault in."""
    return Counter(catch.case for s in scores for found in s.catches.values() for catch in found)
