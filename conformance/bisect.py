"""Finds which earlier cases make a case fail that passes alone: delta debugging over the cases before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conformance.case import Case

Fails = Callable[[Sequence[Case]], bool]
"""Cases to be run first, in order, in a fresh process → whether the case fails after them."""


@dataclass(frozen=True, slots=True)
class Culprits:
    """The fewest earlier cases that were found to make a case fail; ``trials`` is how often it was run.

    ``alone`` says that it fails without any, ``never`` that it does not fail after all of them.
    """

    cases: tuple[Case, ...] = ()
    trials: int = 0
    alone: bool = False
    never: bool = False


def find_culprits(before: Sequence[Case], fails: Fails) -> Culprits:
    """Fewest of the cases ``before`` after which the case fails: none of those left can be left out."""
    trials = _Trials(fails)
    if trials.fails(()):
        return Culprits(trials=trials.count, alone=True)
    if not trials.fails(before):
        return Culprits(trials=trials.count, never=True)
    return Culprits(tuple(_minimal(list(before), trials.fails)), trials.count)


class _Trials:
    """Counts how often the case is run."""

    def __init__(self, fails: Fails) -> None:
        self._fails = fails
        self.count = 0

    def fails(self, before: Sequence[Case]) -> bool:
        self.count += 1
        return self._fails(before)


def _minimal(cases: list[Case], fails: Fails) -> list[Case]:
    """Halves first, then smaller and smaller parts, until no single one can be left out."""
    parts = 2
    while len(cases) > 1:
        size = -(-len(cases) // parts)
        chunks = [cases[start : start + size] for start in range(0, len(cases), size)]
        smaller = next((chunk for chunk in chunks if fails(chunk)), None)
        if smaller is not None:
            cases, parts = smaller, 2
            continue
        others = ([case for case in cases if case not in chunk] for chunk in chunks)
        rest = next((rest for rest in others if len(rest) < len(cases) and fails(rest)), None) if parts > 2 else None
        if rest is not None:
            cases, parts = rest, max(parts - 1, 2)
        elif size == 1:
            break
        else:
            parts = min(2 * parts, len(cases))
    return cases
