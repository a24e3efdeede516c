"""The compiled loops of ``fused_pass``: everything counted of a share of an output, row by row in the first cache.

Loops over a row are such as a compiler turns into vector instructions: they have no way out, add up by columns, and
keep maxima as the bit patterns of numbers that are not negative, among which NaN is the largest. What is no number, and
a zero or a sign where the other side has none, make the largest number ``_NOT_PLAIN``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from conformance.compiled import compiled
from conformance.metrics import RELATIVE_FLOOR
from conformance.pairwise import pairwise
from conformance.rounding import FLOAT64_EXPONENT
from conformance.sums import COLUMNS
from conformance.tally import BIN_STARTS, SURELY

_EXPONENT, _SIZE = np.int64(FLOAT64_EXPONENT), np.int64(2**63 - 1)
_SIGN = ~_SIZE
_NOT_PLAIN = _SIZE
_ONE_TWICE = np.int64(2 * np.float64(1.0).view(np.int64))
"""Less the pattern of a power of two below 2^1023 it is that of its reciprocal."""
_BINS = np.array(BIN_STARTS, np.int64)


@compiled
def count(output, golden, terms, block, form, limits, scratch, results):  # type: ignore[no-untyped-def]
    """Fill in what is found in a share, block by block; 16-bit outputs come as patterns."""
    found, beyond, scaled = results[0][0], results[1], results[2]
    _begin(found, beyond, scaled)
    for start in range(0, len(output), block):
        stop = min(start + block, len(output))
        small, is_golden = 0, True
        for first in range(start, stop, COLUMNS):
            last = min(first + COLUMNS, stop)
            wide, want = scratch.wide[: last - first], golden[first:last]
            _widen(output[first:last], form, wide)
            is_same, below = _look_at(wide, want, limits.threshold, found)
            if not is_same:
                is_golden = False
                unequal, max_abs, max_rel = _measure(wide, want, form, limits.threshold, scratch.large, found)
                if max_abs > limits.harmless:
                    _count_beyond(wide, want, form, max_abs, max_rel, limits, beyond)
                if below:
                    _count_below(wide, want, limits.threshold, limits.small_error, small, scratch.below, found)
                if unequal:
                    distance = scratch.distance[: last - first]
                    longest = _count_distances(wide, want, form, distance, found)
                    _count_bins(distance, unequal, longest, found)
                    if longest > found.farthest.distance:
                        _set(found.farthest, 0.0, longest, first + _place_of(longest, distance))
                    if len(terms.of):
                        _scale(wide, want, form, first, distance, terms, found, scaled)
            small += below
        found.small += small
        if not is_golden:
            _end_block(scratch, stop - start, small, found)


@compiled
def _begin(found, beyond, scaled):  # type: ignore[no-untyped-def]
    """Nothing is found yet."""
    beyond[:], scaled[:] = 0, 0.0
    found.largest = found.unequal = found.small = found.small_errors = found.longest = 0
    found.max_steps = 0.0
    found.bins[:] = 0
    for worst in (found.worst, found.farthest, found.worst_scaled):
        _set(worst, 0.0, 0, 0)
    for errors in (found.large, found.below, found.everything):
        errors.max_abs = errors.sum_abs = errors.sum_squares = errors.max_rel = errors.sum_rel = 0.0


@compiled
def _set(worst, scaled, distance, at):  # type: ignore[no-untyped-def]
    worst.scaled, worst.distance, worst.at = scaled, distance, at


@compiled
def _end_block(scratch, size, small, found):  # type: ignore[no-untyped-def]
    """Add up the columns of a block, which are 0 then, and keep its worst element if it is worse than those before."""
    large, below = _add_up(scratch.large, size), _add_up(scratch.below, small)
    _add(found.large, large)
    _add(found.below, below)
    _add(found.everything, (below[0] + large[0], below[1] + large[1], below[2] + large[2]))
    found.everything.max_abs = max(found.large.max_abs, found.below.max_abs)
    found.everything.max_rel = max(found.large.max_rel, found.below.max_rel)
    worst, kept = found.worst_scaled if found.worst_scaled.scaled else found.farthest, found.worst
    if worst.scaled > kept.scaled or (worst.scaled == kept.scaled and worst.distance > kept.distance):
        _set(kept, worst.scaled, worst.distance, worst.at)
    _set(found.farthest, 0.0, 0, 0)
    _set(found.worst_scaled, 0.0, 0, 0)


@compiled
def _add_up(columns, count):  # type: ignore[no-untyped-def]
    sum_abs, sum_rel, sum_squares = columns
    sums = pairwise(sum_abs[:count]), pairwise(sum_rel[:count]), pairwise(sum_squares[:count])
    sum_abs[:count], sum_rel[:count], sum_squares[:count] = 0.0, 0.0, 0.0
    return sums


@compiled
def _add(errors, sums):  # type: ignore[no-untyped-def]
    errors.sum_abs += sums[0]
    errors.sum_rel += sums[1]
    errors.sum_squares += sums[2]


def _widen(output: Any, form: Any, wide: Any) -> None:
    """Fill in outputs as float64."""


@overload(_widen)
def _widen_by_type(output, form, wide):  # type: ignore[no-untyped-def]
    return _widen_patterns if output.dtype == types.uint16 else _widen_numbers


def _widen_numbers(output, form, wide):  # type: ignore[no-untyped-def]
    for i in range(len(output)):
        wide[i] = output[i]


def _widen_patterns(output, form, wide):  # type: ignore[no-untyped-def]
    for i in range(len(output)):
        size = np.uint32(np.uint32(output[i] & 0x7FFF) << form.upward).view(np.float32) * np.float32(form.scale)
        wide[i] = -size if output[i] & 0x8000 else size


@compiled
def _look_at(output, golden, threshold, found):  # type: ignore[no-untyped-def]
    """Whether outputs are the very goldens, and how many are below the threshold."""
    differing, largest, small = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        pattern = _pattern(output[i])
        differing |= pattern ^ _pattern(golden[i])
        largest = max(largest, pattern & _SIZE)
        small += np.int64(abs(golden[i]) < threshold)
    found.largest = max(found.largest, largest)
    return differing == 0, small


@compiled
def _measure(output, golden, form, threshold, columns, found):  # type: ignore[no-untyped-def]
    """Add up errors by column; returns how many outputs are not the rounded golden, and the largest errors of all.

    Those of elements below the threshold count as 0 but for the latter.
    """
    sum_abs, sum_rel, sum_squares = columns
    largest, unequal, max_abs, max_rel = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    large_abs, large_rel = np.int64(0), np.int64(0)
    for i in range(len(output)):
        got, want, near = output[i], golden[i], _pattern(_nearest(golden[i], form))
        largest = max(largest, near & _SIZE)
        unequal += np.int64((near | (_pattern(want) & _SIGN)) != _pattern(got))
        size, error = abs(want), abs(got - want)
        ratio = error / (size + RELATIVE_FLOOR)
        max_abs, max_rel = max(max_abs, _pattern(error)), max(max_rel, _pattern(ratio))
        error, ratio = (0.0 if size < threshold else error), (0.0 if size < threshold else ratio)
        large_abs, large_rel = max(large_abs, _pattern(error)), max(large_rel, _pattern(ratio))
        sum_abs[i] += error
        sum_rel[i] += ratio
        sum_squares[i] += error * error
    found.largest = max(found.largest, largest)
    found.unequal += unequal
    found.large.max_abs = max(found.large.max_abs, _number(large_abs))
    found.large.max_rel = max(found.large.max_rel, _number(large_rel))
    return unequal, _number(max_abs), _number(max_rel)


@compiled
def _pattern(number):  # type: ignore[no-untyped-def]
    return np.float64(number).view(np.int64)


@compiled
def _number(pattern):  # type: ignore[no-untyped-def]
    return np.int64(pattern).view(np.float64)


@compiled
def _nearest(golden, form):  # type: ignore[no-untyped-def]
    """Magnitude of a golden rounded to the type."""
    magic = _power(golden, form) * form.magic
    return (abs(golden) + magic) - magic


@compiled
def _power(number, form):  # type: ignore[no-untyped-def]
    """The power of two that a number of the type begins with."""
    return max(_number(_pattern(number) & _EXPONENT), form.smallest_normal)


@compiled
def _count_below(output, golden, threshold, limit, place, columns, found):  # type: ignore[no-untyped-def]
    """Add up errors of elements below the threshold as if they stood side by side, from ``place`` on."""
    sum_abs, sum_rel, sum_squares = columns
    below = found.below
    for i in range(len(output)):
        size = abs(golden[i])
        if size < threshold:
            error, column = abs(output[i] - golden[i]), place % COLUMNS
            ratio = error / (size + RELATIVE_FLOOR)
            below.max_abs, below.max_rel = max(below.max_abs, error), max(below.max_rel, ratio)
            sum_abs[column] += error
            sum_rel[column] += ratio
            sum_squares[column] += error * error
            found.small_errors += error > limit
            place += 1


@compiled
def _count_distances(output, golden, form, distance, found):  # type: ignore[no-untyped-def]
    """Fill in how far outputs are from rounded goldens, in numbers of the type, and return the longest distance."""
    max_steps, longest, strange = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        got, want = output[i], golden[i]
        place, goal = _place(abs(got), form), _place(_nearest(want, form), form)
        distance[i] = abs(place - goal)
        longest = max(longest, distance[i])
        opposite = (_pattern(got) ^ _pattern(want)) < 0
        strange |= np.int64(opposite | ((place == 0) != (goal == 0)))
        # Division takes several times as long as everything else here; powers of two have exact reciprocals.
        steps = abs(got - want) * _number(_ONE_TWICE - _pattern(max(_power(got, form), _power(want, form))))
        max_steps = max(max_steps, _pattern(steps if distance[i] else 0.0))
    found.largest = _NOT_PLAIN if strange else found.largest
    found.max_steps = max(found.max_steps, _number(max_steps) / form.epsilon)
    found.longest = max(found.longest, longest)
    return longest


@compiled
def _place_of(number, numbers):  # type: ignore[no-untyped-def]
    """Where a number stands first."""
    at = 0
    while numbers[at] != number:
        at += 1
    return at


@compiled
def _place(size, form):  # type: ignore[no-untyped-def]
    """Place of a magnitude among those of the type, which are counted from 0 on."""
    return _pattern(size * form.down) >> form.shift


@compiled
def _count_bins(distance, unequal, longest, found):  # type: ignore[no-untyped-def]
    """Count ``unequal`` elements by distance, of which none is longer than the longest."""
    count = unequal
    for at in range(1, len(_BINS)):
        above = np.int64(0)
        if at + 1 < len(_BINS) and _BINS[at + 1] <= longest:
            for i in range(len(distance)):
                above += np.int64(distance[i] >= _BINS[at + 1])
        found.bins[at] += count - above
        count = above


@compiled
def _scale(output, golden, form, first, distance, terms, found, scaled):  # type: ignore[no-untyped-def]
    """Look for the largest error of those that are not the rounded golden, by its terms, beyond each slack."""
    for at in range(len(terms.slacks)):
        slack, most, worst = terms.slacks[at], 0.0, 0
        for i in range(len(output)):
            step = max(_power(output[i], form), _power(golden[i], form)) * form.epsilon
            excess = max(abs(output[i] - golden[i]) - slack * step - terms.underflow, 0.0) if distance[i] else 0.0
            ratio = excess / (terms.unit * terms.of[first + i]) if excess > 0.0 else 0.0
            ratio = np.inf if ratio != ratio else ratio
            if ratio > most:
                most, worst = ratio, i
        scaled[at] = max(scaled[at], most)
        if at == 0 and most > found.worst_scaled.scaled:
            _set(found.worst_scaled, most, distance[worst], first + worst)


@compiled
def _count_beyond(output, golden, form, max_abs, max_rel, limits, beyond):  # type: ignore[no-untyped-def]
    """Count the elements beyond each tolerance and each cap; none is where the largest errors are not."""
    for at in range(len(limits.tolerances)):
        rtol, atol = limits.tolerances[at]
        if max_abs <= atol or (rtol * RELATIVE_FLOOR <= atol and max_rel <= rtol * SURELY):
            continue
        over = np.int64(0)
        for i in range(len(output)):
            over += np.int64(abs(output[i] - golden[i]) > abs(golden[i]) * rtol + atol)
        beyond[at] += over
    for at in range(len(limits.caps)):
        limit, ulps = limits.caps[at]
        if max_abs <= limit:
            continue
        over = np.int64(0)
        for i in range(len(output)):
            error, step = abs(output[i] - golden[i]), _power(golden[i], form) * form.epsilon
            over += np.int64((error > limit) & (error > ulps * step))
        beyond[len(limits.tolerances) + at] += over
