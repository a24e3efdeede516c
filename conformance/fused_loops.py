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
from conformance.fused_numbers import SIZE, nearest_of, number_of, pattern_of, power_of, rank_of
from conformance.metrics import RELATIVE_FLOOR
from conformance.pairwise import pairwise
from conformance.sums import COLUMNS
from conformance.tally import BIN_STARTS, SURELY

_NOT_PLAIN = SIZE
_ONE_TWICE = np.int64(2 * np.float64(1.0).view(np.int64))
"""Less the pattern of a power of two below 2^1023 it is that of its reciprocal."""
_BINS = np.array(BIN_STARTS, np.int64)


@compiled
def count(output, golden, terms, block, form, limits, scratch, results):  # type: ignore[no-untyped-def]
    """Fill in what is found in a share, block by block; 16-bit outputs come as patterns."""
    found, beyond, scaled = results[0][0], results[1], results[2]
    largest = np.int64(0)
    _begin(found, beyond, scaled)
    for start in range(0, len(output), block):
        stop = min(start + block, len(output))
        small, is_golden = 0, True
        for first in range(start, stop, COLUMNS):
            last = min(first + COLUMNS, stop)
            raw, wide, want = output[first:last], scratch.wide[: last - first], golden[first:last]
            _widen(raw, form, wide)
            is_same, below, size = _look_at(wide, want, limits.threshold, found)
            largest = max(largest, size)
            if not is_same:
                is_golden = False
                if below:
                    errors = _measure_parts(raw, wide, want, form, limits, small, scratch, found)
                else:
                    errors = _measure(raw, wide, want, form, scratch.large, found)
                unequal, max_abs, max_rel = errors
                if max_abs > limits.harmless:
                    _count_beyond(wide, want, form, max_abs, max_rel, limits, beyond)
                if unequal:
                    distance = scratch.distance[: last - first]
                    longest = _count_distances(raw, wide, want, form, distance, found)
                    _count_bins(distance, unequal, longest, found)
                    if longest > found.farthest.distance:
                        _set(found.farthest, 0.0, longest, first + _place_of(longest, distance))
                    if len(terms.of):
                        _scale(wide, want, form, first, distance, terms, found, scaled)
            small += below
        found.small += small
        if not is_golden:
            _end_block(scratch, stop - start, small, found)
    found.largest = max(found.largest, pattern_of(nearest_of(output, number_of(largest), form)) & SIZE)


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
    """Whether outputs are the very goldens, how many are below the threshold, and the pattern of the largest golden."""
    differing, largest, most, small = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        pattern, size = pattern_of(output[i]), abs(golden[i])
        differing |= pattern ^ pattern_of(golden[i])
        largest, most = max(largest, pattern & SIZE), max(most, pattern_of(size))
        small += np.int64(size < threshold)
    found.largest = max(found.largest, largest)
    return differing == 0, small, most


@compiled
def _measure_parts(raw, output, golden, form, limits, place, scratch, found):  # type: ignore[no-untyped-def]
    """As ``_measure``, elements below the threshold apart: zeros stand in their places then."""
    got, want = scratch.got[: len(output)], scratch.want[: len(output)]
    few = _count_below(raw, output, golden, form, limits, place, scratch.below, found)
    for i in range(len(output)):
        is_small = abs(golden[i]) < limits.threshold
        got[i], want[i] = (0.0 if is_small else output[i]), (0.0 if is_small else golden[i])
    many = _measure(raw, got, want, form, scratch.large, found)
    return few[0] + many[0], max(few[1], many[1]), max(few[2], many[2])


@compiled
def _measure(raw, output, golden, form, columns, found):  # type: ignore[no-untyped-def]
    """Add up errors by column; returns how many outputs are not the rounded golden, and the largest errors."""
    sum_abs, sum_rel, sum_squares = columns
    unequal, max_abs, max_rel = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        got, want = output[i], golden[i]
        unequal += np.int64(pattern_of(nearest_of(raw, want, form)) != pattern_of(got))
        error = abs(got - want)
        ratio = error / (abs(want) + RELATIVE_FLOOR)
        max_abs, max_rel = max(max_abs, pattern_of(error)), max(max_rel, pattern_of(ratio))
        sum_abs[i] += error
        sum_rel[i] += ratio
        sum_squares[i] += error * error
    found.unequal += unequal
    found.large.max_abs = max(found.large.max_abs, number_of(max_abs))
    found.large.max_rel = max(found.large.max_rel, number_of(max_rel))
    return unequal, number_of(max_abs), number_of(max_rel)


@compiled
def _count_below(raw, output, golden, form, limits, place, columns, found):  # type: ignore[no-untyped-def]
    """As ``_measure`` of elements below the threshold, as if they stood side by side, from ``place`` on."""
    sum_abs, sum_rel, sum_squares = columns
    unequal, max_abs, max_rel = np.int64(0), 0.0, 0.0
    for i in range(len(output)):
        got, want = output[i], golden[i]
        if abs(want) < limits.threshold:
            unequal += np.int64(pattern_of(nearest_of(raw, want, form)) != pattern_of(got))
            error, column = abs(got - want), place % COLUMNS
            ratio = error / (abs(want) + RELATIVE_FLOOR)
            max_abs, max_rel = max(max_abs, error), max(max_rel, ratio)
            sum_abs[column] += error
            sum_rel[column] += ratio
            sum_squares[column] += error * error
            found.small_errors += error > limits.small_error
            place += 1
    found.unequal += unequal
    found.below.max_abs, found.below.max_rel = max(found.below.max_abs, max_abs), max(found.below.max_rel, max_rel)
    return unequal, max_abs, max_rel


@compiled
def _count_distances(raw, output, golden, form, distance, found):  # type: ignore[no-untyped-def]
    """Fill in how far outputs are from rounded goldens, in numbers of the type, and return the longest distance."""
    max_steps, longest, opposite, strange = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        got, want = output[i], golden[i]
        place, goal = rank_of(raw, got, form), rank_of(raw, nearest_of(raw, want, form), form)
        distance[i] = abs(place - goal)
        longest = max(longest, distance[i])
        opposite |= pattern_of(got) ^ pattern_of(want)
        strange |= np.int64((place == 0) != (goal == 0))
        # Division takes several times as long as everything else here; powers of two have exact reciprocals.
        steps = abs(got - want) * number_of(_ONE_TWICE - pattern_of(power_of(max(abs(got), abs(want)), form)))
        max_steps = max(max_steps, pattern_of(steps if distance[i] else 0.0))
    found.largest = _NOT_PLAIN if strange or opposite < 0 else found.largest
    found.max_steps = max(found.max_steps, number_of(max_steps) / form.epsilon)
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
            step = max(power_of(output[i], form), power_of(golden[i], form)) * form.epsilon
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
            error, step = abs(output[i] - golden[i]), power_of(golden[i], form) * form.epsilon
            over += np.int64((error > limit) & (error > ulps * step))
        beyond[len(limits.tolerances) + at] += over
