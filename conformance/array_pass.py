"""Counts a block of floating-point numbers array by array: everything there is to count, whatever the block holds."""

from __future__ import annotations

from math import inf

import numpy as np

from conformance.differing import Block, Differing
from conformance.dtype import DType
from conformance.metrics import RELATIVE_FLOOR, Cap, Domain, DTypeProbes, Specials, Tolerance
from conformance.rounding import TableFormat, exact_pattern, float_format, rounded
from conformance.sides import Sides
from conformance.tally import SURELY, Domains, Errors, Tally
from conformance.tensor import Array

_NOT_COMPARED = 1e300
"""Stands for |golden| where nothing is compared: in no small domain, and a relative error of 0."""


class ArrayPass:
    """Counts blocks of up to ``size`` elements, in scratch memory of its own."""

    def __init__(self, sides: Sides, dtype: DType, probes: DTypeProbes, size: int) -> None:
        self._dtype, self._probes, self._form = dtype, probes, float_format(dtype)
        self._differing = Differing(sides, dtype, self._form)
        self._errors = np.empty((2, size))
        self._target = np.empty(size, dtype.carrier)
        self._unequal, self._mask = np.empty(size, np.bool_), np.empty(size, np.bool_)

    def count(self, start: int, output: Array, golden: Array) -> Tally:
        """What is counted in the block that begins at ``start``. Callers silence numpy's warnings."""
        tally, errors = Tally.empty(self._probes), self._errors[:, : len(output)]
        sizes = self._sizes_if_exact(_differences(output, golden, errors[0]), output, golden)
        if sizes is not None:
            self._count_exact(tally, output, sizes)
        else:
            np.absolute(errors[0], out=errors[0])
            self._count(tally, start, output, golden, errors)
        return tally

    def _sizes_if_exact(self, error: Array, output: Array, golden: Array) -> Array | None:
        """Patterns of the magnitudes where the output is finite and the golden even before rounding, bit for bit."""
        # As patterns, of which NaN is none of the smaller: twice as fast as asking whether any number is not 0.
        if error[0] or isinstance(self._form, TableFormat) or np.maximum.reduce(error.view(np.uint64)):
            return None
        bits = self._form.bits
        magnitude, scratch = bits.type(self._form.magnitude), self._target[: len(output)].view(bits)
        sizes: Array = np.bitwise_and(output.view(bits), magnitude, out=scratch)
        if not np.minimum.reduce(sizes) and bool((np.signbit(output) != np.signbit(golden)).any()):
            return None
        return sizes

    def _count_exact(self, tally: Tally, output: Array, sizes: Array) -> None:
        """Count in a block without any error."""
        tally.histogram[0] = tally.errors.count = count = len(output)
        tally.within = [count] * len(tally.within)
        tally.within_cap = [count] * len(tally.within_cap)
        for domain, found in zip(self._probes.domains, tally.domains, strict=True):
            found.small = self._below(domain.threshold, output, sizes)
            found.large.count = count - found.small

    def _below(self, threshold: float, output: Array, sizes: Array) -> int:
        """Elements whose magnitude is below a threshold."""
        limit = exact_pattern(threshold, self._dtype)
        if limit is None:
            return int(np.count_nonzero(np.absolute(output.astype(np.float64)) < threshold))
        return int(np.count_nonzero(np.less(sizes, limit, out=self._mask[: len(sizes)])))

    def _count(self, tally: Tally, start: int, output: Array, golden: Array, errors: Array) -> None:
        """Count in a block; absolute errors stand in the first row of ``errors``, the second one is scratch memory."""
        count, bits = len(output), self._form.bits
        target = rounded(golden, self._dtype, self._target[:count])
        unequal = np.not_equal(output.view(bits), target.view(bits), out=self._unequal[:count])
        different, finite = int(np.count_nonzero(unequal)), True
        if different:
            block = Block(start, output, golden, target, unequal, different)
            chosen, finite = self._differing.count(tally, block, errors[0])
            if chosen is not golden:
                golden = chosen
                np.absolute(_differences(output, golden, errors[0]), out=errors[0])
        self._count_errors(tally, errors, golden, count, None)
        if not (finite and tally.errors.sum_abs < inf):
            compared = self._set_aside_specials(tally, output, target, errors[0])
            different = count - int(np.count_nonzero(compared > unequal))
            self._count_errors(tally, errors, golden, int(np.count_nonzero(compared)), ~compared)
        tally.histogram[0] += count - different

    def _set_aside_specials(self, tally: Tally, output: Array, target: Array, error: Array) -> Array:
        """Count NaN and infinities, make their errors 0, and mark the elements that are finite on both sides."""
        got, want = output.astype(np.float64), target.astype(np.float64)
        tally.output, tally.golden = _specials(got), _specials(want)
        compared: Array = np.isfinite(got) & np.isfinite(want)
        error[~compared] = 0.0
        return compared

    def _count_errors(self, tally: Tally, errors: Array, golden: Array, count: int, aside: Array | None) -> None:
        """Errors of ``count`` elements, over all, at each domain's sides and within tolerances; none ``aside``."""
        tally.domains = [self._split(domain, errors, golden, count, aside) for domain in self._probes.domains]
        if tally.domains:
            tally.errors = tally.domains[0].everything
        else:
            tally.errors = Errors()
            tally.errors.add(_with_ratios(errors, _sizes(golden, aside, errors[1])), count)
        for at, tolerance in enumerate(self._probes.tolerances):
            within = _all_within(tolerance, tally.errors)
            tally.within[at] = count - (0 if within else _beyond(tolerance, errors, golden, aside))
        for at, cap in enumerate(self._probes.caps):
            within = tally.errors.max_abs <= cap.limit
            tally.within_cap[at] = count - (0 if within else self._beyond_cap(cap, errors[0], golden))

    def _split(self, domain: Domain, errors: Array, golden: Array, count: int, aside: Array | None) -> Domains:
        """Errors below and above a threshold, and over both."""
        size = _sizes(golden, aside, errors[1])
        (small,) = np.less(size, domain.threshold, out=self._mask[: len(size)]).nonzero()
        found = Domains(len(small))
        _with_ratios(errors, size)
        if not len(small):
            found.large.add(errors, count)
        else:
            below = errors.take(small, axis=1)
            errors[:, small] = 0.0
            found.large.add(errors, count - len(small))
            errors[0, small] = below[0]
            found.small_errors = int(np.count_nonzero(below[0] > domain.error_limit))
            found.everything.add(below, len(small))
        found.everything.merge(found.large)
        return found

    def _beyond_cap(self, cap: Cap, error: Array, golden: Array) -> int:
        over = np.flatnonzero(error > cap.limit)
        step = self._form.ulp(np.absolute(golden[over]))
        return len(over) - int(np.count_nonzero(error[over] <= cap.ulps * step))


def _differences(output: Array, golden: Array, out: Array) -> Array:
    """Outputs less goldens."""
    np.copyto(out, output, casting="unsafe")
    return np.subtract(out, golden, out=out)


def _sizes(golden: Array, aside: Array | None, out: Array) -> Array:
    """|golden|, huge for what is set aside."""
    np.absolute(golden, out=out)
    if aside is not None:
        out[aside] = _NOT_COMPARED
    return out


def _with_ratios(errors: Array, size: Array) -> Array:
    """Absolute errors and beside them relative ones, in the place of ``size``."""
    np.divide(errors[0], np.add(size, RELATIVE_FLOOR, out=size), out=size)
    return errors


def _beyond(tolerance: Tolerance, errors: Array, golden: Array, aside: Array | None) -> int:
    limit = _sizes(golden, aside, errors[1])
    limit *= tolerance.rtol
    limit += tolerance.atol
    return len(limit) - int(np.count_nonzero(errors[0] <= limit))


def _all_within(tolerance: Tolerance, errors: Errors) -> bool:
    """Whether the maxima alone show every element to be within; False says nothing."""
    if errors.max_abs <= tolerance.atol:
        return True
    floor_is_covered = tolerance.rtol * RELATIVE_FLOOR <= tolerance.atol
    return floor_is_covered and errors.max_rel <= tolerance.rtol * SURELY


def _specials(values: Array) -> Specials:
    return Specials(
        int(np.count_nonzero(np.isnan(values))),
        int(np.count_nonzero(values == inf)),
        int(np.count_nonzero(values == -inf)),
    )
