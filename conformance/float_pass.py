"""The measuring pass over floating-point outputs: block by block, with a short way where nothing differs."""

from __future__ import annotations

from math import inf

import numpy as np

from conformance.differences import Differences, badness, float_differences
from conformance.dtype import DType
from conformance.metrics import RELATIVE_FLOOR, Cap, Domain, Specials, Tolerance
from conformance.rounding import float_format, rounded
from conformance.sides import Sides
from conformance.tally import Domains, Errors, Tally
from conformance.tensor import Array

BLOCK = 1 << 15
"""Elements looked at together; scratch memory is a few arrays of this many float64."""
_NOT_COMPARED = 1e300
"""Stands for |golden| where nothing is compared: in no small domain, and a relative error of 0."""
_SURELY = 1.0 - 1e-12
"""Keeps a bound on rounded quotients from deciding for elements exactly at a tolerance."""


class FloatPass:
    """One pass over real numbers of one dtype (complex ones arrive as their parts), counting into a tally."""

    def __init__(self, sides: Sides, dtype: DType, tally: Tally) -> None:
        size = min(BLOCK, len(sides.output))
        self._sides, self._dtype, self._tally = sides, dtype, tally
        self._form = float_format(dtype)
        self._error, self._size = np.empty(size), np.empty(size)
        self._ratio, self._squares = np.empty(size), np.empty(size)
        self._target = np.empty(size, dtype.carrier)
        self._unequal, self._mask = np.empty(size, np.bool_), np.empty(size, np.bool_)

    def run(self) -> None:
        """Measure every block."""
        count = len(self._sides.output)
        with np.errstate(all="ignore"):
            for start in range(0, count, BLOCK):
                self._block(start, min(start + BLOCK, count))

    def _block(self, start: int, stop: int) -> None:
        count = stop - start
        output, golden = self._sides.output[start:stop], self._sides.golden[start:stop]
        target = rounded(golden, self._dtype, self._target[:count])
        unequal = self._unequal[:count]
        np.not_equal(output.view(self._form.bits), target.view(self._form.bits), out=unequal)
        equal, finite = count, True
        if np.logical_or.reduce(unequal):
            indices = np.flatnonzero(unequal)
            equal = count - len(indices)
            golden, target, finite = self._differing(start, indices, output, golden, target)
        error, size, ratio = self._errors(output, golden)
        errors, domains = self._split(error, size, ratio, count)
        if not (finite and errors.sum_abs < inf):
            compared = self._set_aside_specials(output, target, error, size, ratio)
            equal = int(np.count_nonzero(compared > unequal))
            errors, domains = self._split(error, size, ratio, int(np.count_nonzero(compared)))
        self._commit(equal, errors, domains)
        self._count_within(error, size, ratio, errors)

    def _errors(self, output: Array, golden: Array) -> tuple[Array, Array, Array]:
        """Absolute error, |golden| and relative error, in scratch memory."""
        count = len(output)
        error, size, ratio = self._error[:count], self._size[:count], self._ratio[:count]
        np.copyto(error, output, casting="unsafe")
        np.subtract(error, golden, out=error)
        np.absolute(error, out=error)
        np.absolute(golden, out=size)
        np.add(size, RELATIVE_FLOOR, out=ratio)
        np.divide(error, ratio, out=ratio)
        return error, size, ratio

    def _split(self, error: Array, size: Array, ratio: Array, count: int) -> tuple[Errors, list[Domains]]:
        """Errors over the block and, for every domain asked for, below and above its threshold."""
        total, domains = Errors(), []
        for domain in self._tally.probes.domains:
            domains.append(self._split_at(domain, error, size, ratio, count))
            if len(domains) == 1:
                total = domains[0].everything
        if not domains:
            total.add(error, ratio, count, self._squares)
        return total, domains

    def _split_at(self, domain: Domain, error: Array, size: Array, ratio: Array, count: int) -> Domains:
        (small,) = np.less(size, domain.threshold, out=self._mask[: len(size)]).nonzero()
        found = Domains(len(small))
        if not len(small):
            found.large.add(error, ratio, count, self._squares)
            found.everything = found.large
            return found
        small_error, small_ratio = error[small], ratio[small]
        error[small] = ratio[small] = 0.0
        found.large.add(error, ratio, count - len(small), self._squares)
        error[small], ratio[small] = small_error, small_ratio
        found.small_errors = int(np.count_nonzero(small_error > domain.error_limit))
        found.everything.add(small_error, small_ratio, len(small), self._squares)
        found.everything.merge(found.large)
        return found

    def _set_aside_specials(self, output: Array, target: Array, error: Array, size: Array, ratio: Array) -> Array:
        """Count NaN and infinities, make their errors 0, and mark the elements that are finite on both sides."""
        got, want = output.astype(np.float64), target.astype(np.float64)
        self._tally.output = _add(self._tally.output, got)
        self._tally.golden = _add(self._tally.golden, want)
        compared: Array = np.isfinite(got) & np.isfinite(want)
        error[~compared] = ratio[~compared] = 0.0
        size[~compared] = _NOT_COMPARED
        return compared

    def _commit(self, equal: int, errors: Errors, domains: list[Domains]) -> None:
        tally = self._tally
        tally.histogram[0] += equal
        tally.errors.merge(errors)
        for total, found in zip(tally.domains, domains, strict=True):
            total.merge(found)

    def _count_within(self, error: Array, size: Array, ratio: Array, errors: Errors) -> None:
        """Count elements within every tolerance and cap asked for; bounds over the block decide most at once."""
        for at, tolerance in enumerate(self._tally.probes.tolerances):
            beyond = 0 if _all_within(tolerance, errors) else self._beyond(tolerance, error, size, ratio)
            self._tally.within[at] += errors.count - beyond
        for at, cap in enumerate(self._tally.probes.caps):
            beyond = 0 if errors.max_abs <= cap.limit else self._beyond_cap(cap, error, size)
            self._tally.within_cap[at] += errors.count - beyond

    def _beyond(self, tolerance: Tolerance, error: Array, size: Array, scratch: Array) -> int:
        limit = np.multiply(size, tolerance.rtol, out=scratch)
        limit += tolerance.atol
        return len(error) - int(np.count_nonzero(error <= limit))

    def _beyond_cap(self, cap: Cap, error: Array, size: Array) -> int:
        over = np.flatnonzero(error > cap.limit)
        return len(over) - int(np.count_nonzero(error[over] <= cap.ulps * self._form.ulp(size[over])))

    def _differing(
        self, start: int, indices: Array, output: Array, golden: Array, target: Array
    ) -> tuple[Array, Array, bool]:
        """Count in the elements that differ; returns the goldens chosen for the block and whether all are finite."""
        got, want, goal = output[indices], golden[indices], target[indices]
        if self._sides.alternatives or self._sides.flushing:
            want, goal = self._nearest(start + indices, got, want, goal)
            golden = golden.copy()
            golden[indices] = want
            target[indices] = goal
        found = float_differences(got, want, goal, self._form)
        self._tally.add_differences(found)
        self._count_steps(found, got, want)
        scaled = self._scaled(start + indices, found, got, want) if self._sides.terms is not None else None
        self._tally.consider(start + indices, found, scaled, got, want)
        return golden, target, found.mismatch is None

    def _nearest(self, where: Array, got: Array, want: Array, goal: Array) -> tuple[Array, Array]:
        """Of the admissible answers, element by element the one nearest to the output; earlier ones win ties."""
        best = badness(float_differences(got, want, goal, self._form))
        for alternative in self._sides.alternatives:
            want, goal, best = self._nearer(alternative[where], got, want, goal, best)
        before = best
        for answer in self._sides.flushing:
            want, goal, best = self._nearer(answer[where], got, want, goal, best)
        flushed = best < before
        self._tally.add_flushed(int(np.count_nonzero(flushed)), int(np.count_nonzero(flushed & (best == 0))))
        return want, goal

    def _nearer(self, other: Array, got: Array, want: Array, goal: Array, best: Array) -> tuple[Array, Array, Array]:
        """Golden, rounded golden and badness, with those of another answer where that is nearer."""
        other = other.astype(np.float64, copy=False)
        other_goal = rounded(other, self._dtype)
        other_badness = badness(float_differences(got, other, other_goal, self._form))
        better = other_badness < best
        return np.where(better, other, want), np.where(better, other_goal, goal), np.minimum(best, other_badness)

    def _count_steps(self, found: Differences, got: Array, want: Array) -> None:
        """Largest error in steps; an infinity at the overflow edge stands one step above the largest number."""
        at = np.flatnonzero(found.distance)
        if not len(at):
            return
        form, wide, golden = self._form, np.abs(got[at].astype(np.float64)), np.abs(want[at])
        beyond = form.maximum * (1.0 + form.epsilon / (2.0 - form.epsilon))
        wide = np.where(np.isinf(wide), beyond, wide)
        error = np.where(np.signbit(want[at]) == np.signbit(got[at]), np.abs(wide - golden), wide + golden)
        steps = error / form.ulp(np.minimum(np.maximum(wide, golden), form.maximum))
        self._tally.max_steps = max(self._tally.max_steps, float(steps.max()))

    def _scaled(self, where: Array, found: Differences, got: Array, want: Array) -> Array:
        """Scaled errors with the first slack asked for; the largest with every slack goes into the tally."""
        wide, form = got.astype(np.float64), self._form
        underflow = self._sides.term_count * (form.smallest_subnormal / 2 + form.arithmetic_normal)
        error, step = np.abs(wide - want), form.ulp(np.maximum(np.abs(wide), np.abs(want)))
        unit = form.unit * self._sides.terms_at(where)
        void = None if found.counted is None else (found.distance == 0) | ~np.isfinite(error)
        first: Array | None = None
        for at, slack in enumerate(self._tally.probes.slacks):
            excess = np.maximum(error - slack * step - underflow, 0.0)
            scaled = np.where(excess > 0.0, excess / unit, 0.0)
            scaled[np.isnan(scaled)] = inf
            if void is not None:
                scaled[void] = 0.0
            self._tally.scaled[at] = max(self._tally.scaled[at], float(scaled.max()))
            first = scaled if first is None else first
        return np.zeros(len(got)) if first is None else first


def _all_within(tolerance: Tolerance, errors: Errors) -> bool:
    """Whether the maxima alone show every element to be within; False says nothing."""
    if errors.max_abs <= tolerance.atol:
        return True
    floor_is_covered = tolerance.rtol * RELATIVE_FLOOR <= tolerance.atol
    return floor_is_covered and errors.max_rel <= tolerance.rtol * _SURELY


def _add(specials: Specials, values: Array) -> Specials:
    return Specials(
        specials.nan + int(np.count_nonzero(np.isnan(values))),
        specials.plus_inf + int(np.count_nonzero(values == inf)),
        specials.minus_inf + int(np.count_nonzero(values == -inf)),
    )
