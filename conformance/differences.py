"""How elements differ from the rounded golden: class, ULP distance, zeros. Works on the differing elements only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from conformance.rounding import FloatFormat
from conformance.tensor import Array

_FLUSHED = 0.5
"""Badness of a flushed subnormal."""


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """What some elements of a block have against them.

    ``distance`` is the ULP distance (unsigned; 0 where none is defined). ``mismatch`` marks class mismatches and
    ``counted`` the elements that have a distance; both are None where every element is finite on both sides.
    """

    distance: Array
    different: int
    mismatch: Array | None = None
    counted: Array | None = None
    flushed: Array | None = None
    zero_signs: int = 0
    zeros_for_nonzero: int = 0


def float_differences(output: Array, golden: Array, target: Array, form: FloatFormat) -> Differences:
    """Differences of ``output`` from ``target``, which is ``golden`` (float64) rounded to the output's type."""
    got, want = form.patterns(output), form.patterns(target)
    got_size, want_size = got & form.magnitude, want & form.magnitude
    distance = np.maximum(got_size, want_size) - np.minimum(got_size, want_size)
    opposite = (got ^ want) > form.magnitude
    if np.logical_or.reduce(opposite):
        np.add(got_size, want_size, out=distance, where=opposite)
    largest = max(np.maximum.reduce(got_size), np.maximum.reduce(want_size))
    if np.minimum.reduce(got_size) > 0 and largest <= form.largest:
        return Differences(distance, int(np.count_nonzero(distance)))
    return _special_differences(_Pairs(got_size, want_size, got == want, opposite), np.abs(golden), distance, form)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Magnitudes of output and rounded golden as bit patterns, where they are equal and where their signs differ."""

    got: Array
    want: Array
    same: Array
    opposite: Array

    def at_overflow_edge(self, golden_size: Array, form: FloatFormat) -> Array:
        """Where one side is infinite, the other the largest finite number, and the golden within one ULP of it."""
        step = form.maximum * form.epsilon / (2.0 - form.epsilon)
        edge: Array = (
            (np.minimum(self.got, self.want) == form.largest)
            & (np.maximum(self.got, self.want) == form.largest + 1)
            & ~self.opposite
            & (golden_size <= form.maximum + step)
            & (form.infinity > form.largest)
        )
        return edge


def _special_differences(pairs: _Pairs, golden_size: Array, distance: Array, form: FloatFormat) -> Differences:
    infinite = (pairs.got > form.largest) | (pairs.want > form.largest)
    both_nan = (pairs.got > form.infinity) & (pairs.want > form.infinity)
    edge = pairs.at_overflow_edge(golden_size, form)
    from_zero, to_zero = pairs.want == 0, pairs.got == 0
    both_zero = from_zero & to_zero
    flushed = to_zero & ~from_zero & (golden_size < form.smallest_normal)
    counted = ~infinite | edge
    distance[flushed | ~counted] = 0
    return Differences(
        distance,
        int(np.count_nonzero(~(pairs.same | both_nan | both_zero))),
        infinite & ~(both_nan | pairs.same | edge),
        counted,
        flushed,
        int(np.count_nonzero(both_zero & ~pairs.same)),
        int(np.count_nonzero(to_zero & ~from_zero & ~flushed & ~infinite)),
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
    zeros = np.count_nonzero((got == 0) & (want != 0))
    return Differences(distance, int(np.count_nonzero(distance)), zeros_for_nonzero=int(zeros))


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
