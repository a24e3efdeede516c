"""Running totals of one measuring pass over blocks. Mutable, and seen by ``measure`` and its passes only."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from conformance.differences import Differences
from conformance.metrics import ULP_BINS, DTypeProbes, Specials
from conformance.tensor import Array

_LONGEST = 65
"""Distances above 64 fall together."""
_BIN_STARTS = (0, 1, 2, 3, 5, 9, 17, 33, _LONGEST)
"""Smallest distance of each bin of ``ULP_BINS``."""


@dataclass(slots=True)
class Errors:
    """Maxima and sums of absolute and relative errors over ``count`` elements."""

    count: int = 0
    max_abs: float = 0.0
    sum_abs: float = 0.0
    sum_squares: float = 0.0
    max_rel: float = 0.0
    sum_rel: float = 0.0

    def add(self, absolute: Array, relative: Array, count: int, scratch: Array) -> None:
        """Count in non-empty arrays of errors; elements beyond ``count`` that are not compared stand in them as 0."""
        self.count += count
        self.max_abs = max(self.max_abs, float(np.maximum.reduce(absolute)))
        self.max_rel = max(self.max_rel, float(np.maximum.reduce(relative)))
        self.sum_abs += float(np.add.reduce(absolute))
        self.sum_rel += float(np.add.reduce(relative))
        self.sum_squares += float(np.add.reduce(np.multiply(absolute, absolute, out=scratch[: len(absolute)])))

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
    golden: Specials = field(default_factory=Specials)
    output: Specials = field(default_factory=Specials)
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

    def __post_init__(self) -> None:
        self.scaled = [0.0] * len(self.probes.slacks)
        self.within = [0] * len(self.probes.tolerances)
        self.within_cap = [0] * len(self.probes.caps)
        self.domains = [Domains() for _ in self.probes.domains]

    def add_differences(self, found: Differences) -> None:
        """Count in the differing elements of a block."""
        self.bit_different += found.different
        self.zero_sign_mismatches += found.zero_signs
        self.zero_for_nonzero += found.zeros_for_nonzero
        distance = found.distance
        if found.mismatch is not None:
            self.class_mismatches += int(np.count_nonzero(found.mismatch))
            distance = distance[found.counted]
        if found.flushed is not None:
            self.flushed += int(np.count_nonzero(found.flushed))
        if len(distance):
            self.max_ulp = max(self.max_ulp, int(distance.max()))
            counts = np.bincount(np.minimum(distance, _LONGEST).astype(np.intp), minlength=_LONGEST + 1)
            binned = np.add.reduceat(counts, _BIN_STARTS).tolist()
            self.histogram = [a + b for a, b in zip(self.histogram, binned, strict=True)]

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
        if self.worst is None or rank > self.worst.rank:
            self.worst = Candidate(rank, int(indices[at]), got[at], expected[at])
