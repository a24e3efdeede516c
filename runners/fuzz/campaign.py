"""Fuzzes one API with hypothesis for a while: finds, shrinks, and goes on with the properties that still hold."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from math import inf
from pathlib import Path
from typing import TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from conformance.contract import Contract
from conformance.execute import Session
from runners.fuzz.attempts import GOLDEN, REFUSAL, Attempt, Surroundings, failure_of, make_attempt
from runners.fuzz.choices import Choices
from runners.fuzz.relations import relations_of
from runners.fuzz.roots import lengths, ranks_of
from runners.fuzz.squeeze import squeeze

T = TypeVar("T")
_BATCH = 250
SHRINK_SECONDS = 20.0
"""How long a finding is made smaller at most, beside the time for finding."""


@dataclass(frozen=True, slots=True)
class Search:
    """How long to fuzz one API, shrinking aside, from which seed, and when to be content.

    ``cap`` is the most elements a tensor has, ``findings`` how many findings end the search, ``calls`` how many drafts
    of calls: a search that ends by them makes the same calls on every machine.
    """

    seconds: float
    seed: int = 0
    cap: int = 4096
    findings: int = 3
    calls: float = inf


@dataclass(frozen=True, slots=True)
class Finding:
    """The smallest attempt that failed, why, and how many seconds of fuzzing its API found it and of shrinking."""

    attempt: Attempt
    reason: str
    found_after: float
    shrunk_in: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What fuzzing one API came to; ``looked_at`` counts comparisons by property."""

    contract: Contract
    findings: tuple[Finding, ...]
    looked_at: Counter[str] = field(default_factory=Counter)


class _Enough(BaseException):
    """Time is up; hypothesis lets it through as it lets an interrupt."""


class _Failure(Exception):
    """A failing attempt, for hypothesis to shrink."""


class _Drawn:
    """Choices that hypothesis makes."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def pick(self, options: Sequence[T]) -> T:
        return options[self._draw(_below(len(options)))] if len(options) > 1 else options[0]

    def indices(self, below: int, count: int) -> list[int]:
        return self._draw(_many_below(below, count))


@dataclass(slots=True)
class _Left:
    """What is left of a search. Not a value: it grows less."""

    seconds: float
    calls: float

    @property
    def is_used_up(self) -> bool:
        return self.seconds <= 0 or self.calls <= 0


class _Hunt:
    """The hunt for one finding: what failed first, the smallest since, and when to stop. Not a value."""

    def __init__(self, about: Surroundings, path: Path, left: _Left, seen: Counter[str]) -> None:
        self._about, self._path, self._seen = about, path, seen
        self._left, self._began = left, time.monotonic()
        self._deadline = self._began + left.seconds
        self._found_after = 0.0
        self.best: tuple[Attempt, str] | None = None

    def look_at(self, attempt: Attempt | None) -> None:
        """Run an attempt; raises when it fails or when time or calls are used up."""
        if time.monotonic() > self._deadline:
            raise _Enough
        if self.best is None:
            if self._left.calls <= 0:
                raise _Enough
            self._left.calls -= 1
        if attempt is None or (self.best is not None and attempt.property != self.best[0].property):
            hypothesis.reject()
        reason = failure_of(attempt, self._about.session, self._path, self._seen)
        if reason:
            self._keep(attempt, reason)
            raise _Failure

    def _still_fails(self, attempt: Attempt) -> bool:
        with suppress(_Failure):
            self.look_at(attempt)
            return False
        return True

    def _keep(self, attempt: Attempt, reason: str) -> None:
        if self.best is None:
            self._found_after = time.monotonic() - self._began
            self._deadline = time.monotonic() + SHRINK_SECONDS
        if self.best is None or _size(attempt) <= _size(self.best[0]):
            self.best = attempt, reason

    def finding(self) -> Finding | None:
        """What was found, squeezed as far as time allows."""
        if self.best is None:
            return None
        with suppress(_Enough):
            squeeze(self.best[0], self._about.product, self._still_fails)
        shrunk_in = time.monotonic() - self._began - self._found_after
        return Finding(*self.best, self._found_after, shrunk_in)


def fuzz(session: Session, contract: Contract, search: Search, folder: Path) -> Outcome:
    """Fuzz one API; at most one finding a property. Same seed, same calls, as far as the search goes.

    Cases are named as if they stood in ``folder``, where nothing is written yet.
    """
    product = session.product
    about = Surroundings(session, contract, ranks_of(contract, product), lengths(contract, product, search.cap))
    related = relations_of(contract)
    kinds = [*[GOLDEN] * (2 + len(related)), REFUSAL, REFUSAL, *related]
    seen: Counter[str] = Counter()
    findings: list[Finding] = []
    left, spent = _Left(search.seconds, search.calls), 0.0
    for seed in count(search.seed):
        began = time.monotonic()
        finding = _hunt(about, kinds, left, seed, folder, seen)
        taken = finding.found_after if finding else time.monotonic() - began
        left.seconds, spent = left.seconds - taken, spent + taken
        if finding:
            findings.append(replace(finding, found_after=spent))
            kinds = [kind for kind in kinds if kind != finding.attempt.property]
        if left.is_used_up or len(findings) >= search.findings:
            break
    return Outcome(contract, tuple(findings), seen)


def _hunt(
    about: Surroundings, kinds: Sequence[str], left: _Left, seed: int, folder: Path, seen: Counter[str]
) -> Finding | None:
    hunt = _Hunt(about, folder / "found.json", left, seen)

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=_BATCH,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @hypothesis.given(_attempts(about, tuple(kinds)))
    def search(attempt: Attempt | None) -> None:
        hunt.look_at(attempt)

    with suppress(_Enough, _Failure, HypothesisException):  # what matters is what the hunt kept
        search()
    return hunt.finding()


def _attempts(about: Surroundings, kinds: tuple[str, ...]) -> st.SearchStrategy[Attempt | None]:
    @st.composite
    def attempts(draw: st.DrawFn) -> Attempt | None:
        choices: Choices = _Drawn(draw)
        return make_attempt(about, kinds, choices)

    return attempts()


def _size(attempt: Attempt) -> tuple[int, int]:
    return attempt.elements, len(str(attempt.groups))


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


@cache
def _many_below(below: int, count: int) -> st.SearchStrategy[list[int]]:
    return st.lists(_below(below), min_size=count, max_size=count)
