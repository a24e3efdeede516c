"""How elements differ from the rounded golden: class, ULP distance, zeros. Works on the differing elements only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from conformance.rounding import FloatFormat
from conformance.tensor import Array

_FLUSHED = 0.5
"""Badness of a flushed subnormal."""
Marks = Array | None
"""Which elements something is true of (bool); None where it is of none."""


class Differences(NamedTuple):
    """What some elements have against them, each by itself.

    ``distance`` is the ULP distance (unsigned; 0 where none is defined), ``mismatch`` marks class mismatches,
    ``undefined`` elements without a distance, ``infinite`` those that are not finite on both sides. ``unlike`` marks
    elements that differ; without it they are those with a distance.
    """

    distance: Array
    unlike: Marks = None
    mismatch: Marks = None
    undefined: Marks = None
    infinite: Marks = None
    flushed: Marks = None
    zero_sign: Marks = None
    zero_for_nonzero: Marks = None

    @property
    def different(self) -> int:
        """How many differ."""
        return int(np.count_nonzero(self.distance if self.unlike is None else self.unlike))

    def at(self, places: Array) -> Differences:
        """Those of some elements, by their indices."""
        return Differences(self.distance[places], *(None if marks is None else marks[places] for marks in self[1:]))


def joined(parts: Sequence[Differences]) -> Differences:
    """Those of all parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return Differences(*(_joined(parts, number) for number in range(len(parts[0]))))


def _joined(parts: Sequence[Differences], number: int) -> Any:
    if all(part[number] is None for part in parts):
        return None
    nobody = ((part[number], np.zeros(len(part.distance), np.bool_)) for part in parts)
    return np.concatenate([none if marks is None else marks for marks, none in nobody])


def marked(marks: Marks) -> int:
    """How many elements are."""
    return 0 if marks is None else int(np.count_nonzero(marks))


def float_differences(output: Array, golden: Array, target: Array, form: FloatFormat) -> Differences:
    """Differences of ``output`` from ``target``, which is ``golden`` (float64) rounded to the output's type."""
    got, want = form.patterns(output), form.patterns(target)
    got_size, want_size = got & form.magnitude, want & form.magnitude
    larger, smaller = np.maximum(got_size, want_size), np.minimum(got_size, want_size)
    distance = larger - smaller
    opposite = (got ^ want) > form.magnitude
    if np.logical_or.reduce(opposite):
        np.add(got_size, want_size, out=distance, where=opposite)
    if np.minimum.reduce(got_size) > 0 and np.maximum.reduce(larger) <= form.largest:
        return Differences(distance)
    pairs = _Pairs(got_size, want_size, larger, smaller, got == want, opposite)
    return _special_differences(pairs, np.abs(golden), distance, form)


class _Pairs(NamedTuple):
    """Magnitudes of output and rounded golden as bit patterns, where they are equal and where their signs differ."""

    got: Array
    want: Array
    larger: Array
    smaller: Array
    same: Array
    opposite: Array

    def at_overflow_edge(self, golden_size: Array, form: FloatFormat) -> Array:
        """Where one side is infinite, the other the largest finite number, and the golden within one ULP of it."""
        step = form.maximum * form.epsilon / (2.0 - form.epsilon)
        edge: Array = (
            (self.smaller == form.largest)
            & (self.larger == form.largest + 1)
            & ~self.opposite
            & (golden_size <= form.maximum + step)
            & (form.infinity > form.largest)
        )
        return edge


def _special_differences(pairs: _Pairs, golden_size: Array, distance: Array, form: FloatFormat) -> Differences:
    infinite = pairs.larger > form.largest
    both_nan = pairs.smaller > form.infinity
    edge = pairs.at_overflow_edge(golden_size, form)
    from_zero, to_zero = pairs.want == 0, pairs.got == 0
    both_zero = pairs.larger == 0
    to_zero &= ~from_zero
    flushed = to_zero & (golden_size < form.smallest_normal)
    undefined = infinite & ~edge
    distance[flushed | undefined] = 0
    alike = pairs.same | both_nan
    return Differences(
        distance,
        unlike=~(alike | both_zero),
        mismatch=undefined & ~alike,
        undefined=undefined,
        infinite=infinite,
        flushed=flushed,
        zero_sign=both_zero & ~pairs.same,
        zero_for_nonzero=to_zero & ~(flushed | infinite),
    )


def integer_differences(output: Array, golden: Array) -> Differences:
    """Differences of integers or bools, exact for any two integer types; the distance is |output - golden|."""
    got_negative, got = _sign_and_size(output)
    want_negative, want = _sign_and_size(golden)
    distance = np.maximum(got, want) - np.minimum(got, want)
    opposite = got_negative != want_negative
    if opposite.any():
        total = got + want
        total[total < got] = np.iinfo(np.uint64).max
        distance = np.where(opposite, total, distance)
    return Differences(distance, zero_for_nonzero=(got == 0) & (want != 0))


def _sign_and_size(values: Array) -> tuple[Array, Array]:
    if values.dtype.kind != "i":
        return np.zeros(values.shape, np.bool_), values.astype(np.uint64)
    negative = values < 0
    wide = values.astype(np.int64)
    # Negation in unsigned arithmetic is exact for the smallest int64 too.
    size = wide.view(np.uint64)
    return negative, np.where(negative, np.uint64(0) - size, size)


def badness(differences: Differences) -> Array:
    """One number an element by which admissible answers are ranked: the distance, infinite for a class mismatch.

    A flushed subnormal lies between an equal answer and one a step off: another answer may be that very zero.
    """
    distance = differences.distance.astype(np.float64)
    if differences.flushed is not None:
        distance[differences.flushed] = _FLUSHED
    if differences.mismatch is not None:
        distance[differences.mismatch] = np.inf
    return distance
