"""Which elements of a failed output are wrong: their number, place and a bounded sample, found block by block.

Memory beyond golden and output does not depend on the size: a few blocks, and at most ``MOST_KEPT`` indices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

import numpy as np

from conformance.differences import badness, float_differences, integer_differences
from conformance.dtype import DType
from conformance.float_pass import BLOCK
from conformance.rounding import float_format, rounded
from conformance.sides import Sides
from conformance.tensor import Array, Shape

MOST_KEPT = 1 << 14
"""Indices of wrong elements that are kept; beyond, an evenly thinned sample of them."""
PERIODS = (2, 4, 8, 16, 32, 64, 128)
"""Periods of lanes that are looked at besides the common divisor of all distances."""


@dataclass(frozen=True, slots=True, eq=False)
class Wrong:
    """The wrong elements of an output of ``shape`` (complex ones with a last axis of two parts), in row-major order.

    ``cutoff`` is the distance in ULP above which elements count as wrong. ``stride`` is the greatest common divisor
    of the distances between them (0 where there is one), ``lanes`` says for each of ``PERIODS`` which remainders
    occur, and ``spans`` gives the lowest and highest coordinate on each axis. ``kept`` are indices, ascending.
    """

    shape: Shape
    size: int
    count: int
    cutoff: float
    first: int
    last: int
    stride: int
    lanes: tuple[Array, ...]
    spans: tuple[tuple[int, int], ...]
    kept: Array


def find_wrong(sides: Sides, dtype: DType, shape: Shape, exact: bool) -> Wrong | None:
    """The wrong elements; None where nothing differs. ``dtype`` is real: that of the parts of complex numbers.

    Elements far off hide those that merely round differently: unless ``exact``, the cutoff is the highest of 64 ULP
    (4 for types of 16 bits and less), 0.5 ULP and 0 that some element exceeds. Where the golden is a sum of terms,
    distances are in units of its rounding, if those are larger.
    """
    distances = _float_distances(sides, dtype) if dtype.is_float else _integer_distances(sides)
    with np.errstate(all="ignore"):
        worst = max((float(distances(at, at + BLOCK).max()) for at in _starts(sides)), default=0.0)
        levels = (0.5, 0.0) if exact or not dtype.is_float else (far(dtype), 0.5, 0.0)
        cutoff = next((level for level in levels if worst > level), None)
        if cutoff is None:
            return None
        gathering = _Gathering(shape)
        for at in _starts(sides):
            gathering.add(at + np.flatnonzero(distances(at, at + BLOCK) > cutoff))
    return gathering.result(len(sides.output), cutoff)


def far(dtype: DType) -> float:
    """Distance in ULP that no rounding explains: 64, or 4 in types of 16 bits and less."""
    return 64.0 if dtype.bits > 16 else 4.0


def _starts(sides: Sides) -> range:
    return range(0, len(sides.output), BLOCK)


Distances = Callable[[int, int], Array]
"""Start and stop of a block → how far each element is off, infinite for a class mismatch."""


def _float_distances(sides: Sides, dtype: DType) -> Distances:
    form = float_format(dtype)

    def distances(start: int, stop: int) -> Array:
        got = sides.output[start:stop]
        least: Array | None = None
        for answer in (sides.golden, *sides.alternatives, *sides.flushing):
            want = answer[start:stop]
            distance = badness(float_differences(got, want, rounded(want, dtype), form))
            if sides.terms is not None:
                unit = form.unit * sides.terms_at(np.arange(start, start + len(got)))
                distance = np.fmin(distance, np.abs(got.astype(np.float64) - want) / unit)
            least = distance if least is None else np.minimum(least, distance)
        assert least is not None
        return least

    return distances


def _integer_distances(sides: Sides) -> Distances:
    def distances(start: int, stop: int) -> Array:
        answers = (sides.golden, *sides.alternatives, *sides.flushing)
        each = [integer_differences(sides.output[start:stop], answer[start:stop]).distance for answer in answers]
        least: Array = np.minimum.reduce(each).astype(np.float64)
        return least

    return distances


class _Gathering:
    """Gathers wrong indices block by block. Not a value: it grows, and is seen by ``find_wrong`` only."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._count = self._stride = 0
        self._first = self._last = -1
        self._lanes = tuple(np.zeros(period, np.bool_) for period in PERIODS)
        self._spans = [(extent, -1) for extent in shape]
        self._kept: Array = np.empty(0, np.int64)
        self._step = 1

    def add(self, indices: Array) -> None:
        """Count in the wrong indices of the next block."""
        if not len(indices):
            return
        if self._first < 0:
            self._first = int(indices[0])
        self._last = int(indices[-1])
        self._stride = gcd(self._stride, int(np.gcd.reduce(indices - self._first)))
        for period, lanes in zip(PERIODS, self._lanes, strict=True):
            lanes[indices % period] = True
        places = np.unravel_index(indices, self._shape) if self._shape else ()
        self._spans = [
            (min(low, int(at.min())), max(high, int(at.max())))
            for (low, high), at in zip(self._spans, places, strict=True)
        ]
        self._keep(indices)

    def _keep(self, indices: Array) -> None:
        ordinals = self._count + np.arange(len(indices))
        self._kept = np.concatenate([self._kept, indices[ordinals % self._step == 0]])
        self._count += len(indices)
        while len(self._kept) > MOST_KEPT:
            self._kept, self._step = self._kept[::2], self._step * 2

    def result(self, size: int, cutoff: float) -> Wrong:
        """Everything gathered."""
        return Wrong(
            shape=self._shape,
            size=size,
            count=self._count,
            cutoff=cutoff,
            first=self._first,
            last=self._last,
            stride=self._stride,
            lanes=self._lanes,
            spans=tuple(self._spans),
            kept=self._kept,
        )
