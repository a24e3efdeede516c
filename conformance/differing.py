"""Counts the elements that differ from the rounded golden: how far, in what, and which is the worst.

Few are gathered and looked at with every rule. Where many differ, as where an implementation rounds otherwise, and
nothing but numbers stands on both sides, distances are computed in place over the whole block, which gives the same.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from conformance.choose import choose
from conformance.differences import Differences, float_differences, marked
from conformance.dtype import DType
from conformance.rounding import FLOAT64_EXPONENT, FloatFormat, TableFormat
from conformance.sides import Sides
from conformance.tally import Candidate, Tally
from conformance.tensor import Array

_MANY = 8
"""One in so many elements differs where the whole block is looked at."""
_ALWAYS_MORE = 0.5
"""Steps that no element errs by which is the rounded golden."""


class Block(NamedTuple):
    """Elements from ``start`` on; ``target`` is the rounded golden, ``unequal`` marks the ``different`` others."""

    start: int
    output: Array
    golden: Array
    target: Array
    unequal: Array
    different: int


class Differing:
    """Counts what differs in the blocks of two sides into tallies."""

    def __init__(self, sides: Sides, dtype: DType, form: FloatFormat) -> None:
        self._sides, self._dtype, self._form = sides, dtype, form
        self._is_plain = sides.is_plain and not isinstance(form, TableFormat)

    def count(self, tally: Tally, block: Block, error: Array) -> tuple[Array, bool]:
        """Count in what differs; returns the goldens chosen for the block and whether both sides are finite.

        Where goldens are chosen among alternatives, ``block.target`` is made what they are rounded.
        """
        many = self._is_plain and block.different * _MANY > len(error)
        if many and self._count_in_place(tally, block, error):
            return block.golden, True
        return self._count_gathered(tally, block)

    def _count_in_place(self, tally: Tally, block: Block, error: Array) -> bool:
        """Count over the whole block; False, and nothing counted, where it does not consist of plain numbers."""
        form = self._form
        got, want = form.patterns(block.output), form.patterns(block.target)
        opposite = np.maximum.reduce(got ^ want) > form.magnitude
        sizes = np.bitwise_and(np.stack([got, want]), form.bits.type(form.magnitude))
        if opposite or not sizes.min() or sizes.max() >= form.largest:
            return False
        steps = self._steps_in_place(block, error)
        if steps <= _ALWAYS_MORE:
            return False
        # Magnitudes have a bit less than their type, so that differences of either sign fit.
        difference = np.subtract(sizes[0], sizes[1], out=sizes[0]).view(f"int{8 * form.bits.itemsize}")
        distance = np.absolute(difference).view(form.bits)
        tally.add_plain(distance, block.different)
        tally.max_steps = steps
        at = int(distance.argmax())
        rank = (False, 0.0, int(distance[at]))
        tally.propose(Candidate(rank, block.start + at, block.output[at], block.golden[at]))
        return True

    def _steps_in_place(self, block: Block, error: Array) -> float:
        """Largest error in steps of the larger of both numbers, which are finite."""
        exponent, form = np.uint64(FLOAT64_EXPONENT), self._form
        power, wide = np.empty(len(error)), block.output.astype(np.float64)
        np.bitwise_and(block.golden.view(np.uint64), exponent, out=power.view(np.uint64))
        np.bitwise_and(wide.view(np.uint64), exponent, out=wide.view(np.uint64))
        np.maximum(np.maximum(power, wide, out=power), form.smallest_normal, out=power)
        return float(np.maximum.reduce(np.divide(error, power, out=power)) / form.epsilon)

    def _count_gathered(self, tally: Tally, block: Block) -> tuple[Array, bool]:
        indices, golden = np.flatnonzero(block.unequal), block.golden
        got, where = block.output[indices], block.start + indices
        if self._sides.has_one_answer:
            want = golden[indices]
            found = float_differences(got, want, block.target[indices], self._form)
        else:
            want, block.target[indices], found, *flushed = choose(self._sides, where, got, self._dtype, self._form)
            tally.add_flushed(*flushed)
            golden = golden.copy()
            golden[indices] = want
        tally.add_differences(found)
        errors = _Errors.of(found, got, want, self._form)
        tally.max_steps = errors.most_steps
        scaled = self._scaled(tally, where, found, errors) if self._sides.terms is not None else None
        tally.consider(where, found, scaled, got, want)
        return golden, not marked(found.infinite)

    def _scaled(self, tally: Tally, where: Array, found: Differences, errors: _Errors) -> Array:
        """Scaled errors with the first slack asked for; the largest with every slack goes into the tally."""
        form, error = self._form, errors.error
        underflow = form.underflow(self._sides.term_count)
        unit = form.unit * self._sides.terms_at(where)
        void = None if found.undefined is None else (found.distance == 0) | ~np.isfinite(error)
        first: Array | None = None
        for at, slack in enumerate(tally.probes.slacks):
            excess = np.maximum(error - slack * errors.step - underflow, 0.0)
            scaled = np.where(excess > 0.0, excess / unit, 0.0)
            scaled[np.isnan(scaled)] = inf
            if void is not None:
                scaled[void] = 0.0
            tally.scaled[at] = max(tally.scaled[at], float(np.maximum.reduce(scaled)))
            first = scaled if first is None else first
        return np.zeros(len(error)) if first is None else first


class _Errors(NamedTuple):
    """Errors of differing elements, the step of the type at the larger of both sides, and the most steps of any."""

    error: Array
    step: Array
    most_steps: float

    @classmethod
    def of(cls, found: Differences, got: Array, want: Array, form: FloatFormat) -> _Errors:
        """Of outputs and goldens that differ as found."""
        wide = got.astype(np.float64)
        error, step = np.abs(wide - want), form.ulp(np.maximum(np.abs(wide), np.abs(want)))
        if found.mismatch is None:
            # Those for which another answer was chosen may be equal to that one.
            steps = np.multiply(error / step, found.distance > 0)
            return cls(error, step, float(np.maximum.reduce(steps)))
        return cls(error, step, _most_steps(found, wide, want, form))


def _most_steps(found: Differences, got: Array, want: Array, form: FloatFormat) -> float:
    """Largest error in steps; an infinity at the overflow edge stands one step above the largest number."""
    at = np.flatnonzero(found.distance)
    if not len(at):
        return 0.0
    wide, golden = np.abs(got[at]), np.abs(want[at])
    beyond = form.maximum * (1.0 + form.epsilon / (2.0 - form.epsilon))
    wide = np.where(np.isinf(wide), beyond, wide)
    error = np.where(np.signbit(want[at]) == np.signbit(got[at]), np.abs(wide - golden), wide + golden)
    steps = error / form.ulp(np.minimum(np.maximum(wide, golden), form.maximum))
    return float(steps.max())
