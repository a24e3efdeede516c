"""Running totals of one measuring pass over blocks. Mutable, and seen by ``measure`` and its passes only."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from operator import add

import numpy as np

from conformance.differences import Differences, marked
from conformance.metrics import NO_SPECIALS, ULP_BINS, DTypeProbes, Specials
from conformance.sums import sums
from conformance.tensor import Array

BIN_STARTS = (0, 1, 2, 3, 5, 9, 17, 33, 65)
"""Smallest distance of each bin of ``ULP_BINS``."""


SURELY = 1.0 - 1e-12
"""Keeps a bound on rounded quotients from deciding for elements exactly at a tolerance."""


@dataclass(slots=True)
class Errors:
    """Maxima and sums of absolute and relative errors over ``count`` elements."""

    count: int = 0
    max_abs: float = 0.0
    sum_abs: float = 0.0
    sum_squares: float = 0.0
    max_rel: float = 0.0
    sum_rel: float = 0.0

    def add(self, errors: Array, count: int) -> None:
        """Count in a row of absolute and one of relative errors, not empty.

        Elements beyond ``count`` that are not compared stand in them as 0. The second row is used up: it ends as the
        squares of the first.
        """
        largest, largest_relative = np.maximum.reduce(errors, axis=1).tolist()
        total, total_relative = sums(errors).tolist()
        self.count += count
        self.max_abs, self.max_rel = max(self.max_abs, largest), max(self.max_rel, largest_relative)
        self.sum_abs += total
        self.sum_rel += total_relative
        self.sum_squares += float(sums(np.multiply(errors[0], errors[0], out=errors[1])[np.newaxis])[0])

    def merge(self, other: Errors) -> None:
        """Count in everything that ``other`` counted."""
        self.count += other.count
        self.max_abs = max(self.max_abs, other.max_abs)
        self.max_rel = max(self.max_rel, other.max_rel)
        self.sum_abs += other.sum_abs
        self.sum_rel += other.sum_rel
        self.sum_squares += other.sum_squares

    def mean(self, total: float) -> float:
        """``total`` over the count; 0 where nothing was compared."""
        return total / self.count if self.count else 0.0

    @property
    def rmse(self) -> float:
        """Root of the mean squared absolute error."""
        return sqrt(self.mean(self.sum_squares))


@dataclass(slots=True)
class Domains:
    """Counts of one domain probe: elements below the threshold, those of them that err, errors of the others."""

    small: int = 0
    small_errors: int = 0
    large: Errors = field(default_factory=Errors)
    everything: Errors = field(default_factory=Errors)

    def merge(self, other: Domains) -> None:
        """Count in what ``other`` counted below and above the threshold."""
        self.small += other.small
        self.small_errors += other.small_errors
        self.large.merge(other.large)


@dataclass(slots=True, eq=False)
class Candidate:
    """The worst element so far; ``rank`` orders candidates."""

    rank: tuple[bool, float, int]
    index: int
    got: Array
    expected: Array


@dataclass(slots=True, eq=False)
class Tally:
    """Everything counted so far on one output."""

    probes: DTypeProbes
    golden: Specials = NO_SPECIALS
    output: Specials = NO_SPECIALS
    class_mismatches: int = 0
    zero_sign_mismatches: int = 0
    bit_different: int = 0
    flushed: int = 0
    zero_for_nonzero: int = 0
    histogram: list[int] = field(default_factory=lambda: [0] * len(ULP_BINS))
    max_ulp: int = 0
    max_steps: float = 0.0
    errors: Errors = field(default_factory=Errors)
    scaled: list[float] = field(default_factory=list)
    within: list[int] = field(default_factory=list)
    within_cap: list[int] = field(default_factory=list)
    domains: list[Domains] = field(default_factory=list)
    worst: Candidate | None = None

    @classmethod
    def empty(cls, probes: DTypeProbes) -> Tally:
        """Nothing counted yet."""
        return cls(
            probes,
            scaled=[0.0] * len(probes.slacks),
            within=[0] * len(probes.tolerances),
            within_cap=[0] * len(probes.caps),
            domains=[Domains() for _ in probes.domains],
        )

    def add_differences(self, found: Differences) -> None:
        """Count in the differing elements of a block."""
        self.bit_different += found.different
        self.class_mismatches += marked(found.mismatch)
        self.flushed += marked(found.flushed)
        self.zero_sign_mismatches += marked(found.zero_sign)
        self.zero_for_nonzero += marked(found.zero_for_nonzero)
        distance = found.distance if found.undefined is None else found.distance[~found.undefined]
        self._add_distances(distance, len(distance))

    def _add_distances(self, distance: Array, count: int) -> None:
        """Count in distances; those beyond ``count`` are 0 and do not count."""
        if not count:
            return
        longest = int(distance.max())
        self.max_ulp = max(self.max_ulp, longest)
        for at, start in enumerate(BIN_STARTS[1:]):
            above = int(np.count_nonzero(distance >= start)) if start <= longest else 0
            self.histogram[at] += count - above
            count = above
        self.histogram[-1] += count

    def add_plain(self, distance: Array, different: int) -> None:
        """Count in a block of which so many elements differ, with nothing but numbers on both sides."""
        self.bit_different += different
        self._add_distances(distance, different)

    def add_flushed(self, flushed: int, equal: int) -> None:
        """Count in elements that only flushed operands explain; ``equal`` of them are those answers bit for bit."""
        self.flushed += flushed
        self.bit_different += equal

    def consider(self, indices: Array, found: Differences, scaled: Array | None, got: Array, expected: Array) -> None:
        """Keep the worst of a block's differing elements, if it is worse than the worst so far."""
        by, mismatch = found.distance if scaled is None or not scaled.any() else scaled, False
        if found.mismatch is not None and found.mismatch.any():
            by, mismatch = found.mismatch, True
        elif not found.different:
            return
        at = int(np.argmax(by))
        rank = (mismatch, 0.0 if scaled is None else float(scaled[at]), int(found.distance[at]))
        self.propose(Candidate(rank, int(indices[at]), got[at], expected[at]))

    def propose(self, candidate: Candidate) -> None:
        """Keep a candidate for the worst element, if it is worse than the worst so far."""
        if self.worst is None or candidate.rank > self.worst.rank:
            self.worst = candidate

    def merge(self, later: Tally) -> None:
        """Count in everything that was counted on the elements after these."""
        self.class_mismatches += later.class_mismatches
        self.zero_sign_mismatches += later.zero_sign_mismatches
        self.bit_different += later.bit_different
        self.flushed += later.flushed
        self.zero_for_nonzero += later.zero_for_nonzero
        self.golden, self.output = self.golden.plus(later.golden), self.output.plus(later.output)
        self.max_ulp, self.max_steps = max(self.max_ulp, later.max_ulp), max(self.max_steps, later.max_steps)
        self.histogram = _added(self.histogram, later.histogram)
        self.within, self.within_cap = _added(self.within, later.within), _added(self.within_cap, later.within_cap)
        self.scaled = [max(pair) for pair in zip(self.scaled, later.scaled, strict=True)]
        self.errors.merge(later.errors)
        for total, found in zip(self.domains, later.domains, strict=True):
            total.merge(found)
        if later.worst is not None:
            self.propose(later.worst)


def _added(ours: list[int], theirs: list[int]) -> list[int]:
    return list(map(add, ours, theirs))
