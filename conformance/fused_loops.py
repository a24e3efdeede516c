"""The compiled loops of ``fused_pass``: everything counted of blocks of numbers while they lie in the cache.

Maxima are kept as the bit patterns of numbers that are not negative, among which NaN is the largest. What is no number,
and a zero or a sign where the other side has none, make the largest number ``_NOT_PLAIN``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from conformance.compiled import compiled
from conformance.metrics import RELATIVE_FLOOR
from conformance.pairwise import DEPTH, next_part, pairwise
from conformance.rounding import FLOAT64_EXPONENT
from conformance.tally import BIN_STARTS

CHUNK = 4096
"""Numbers at most that are looked at together: what is kept of them lies in the processor's first two caches."""
_EXPONENT, _SIZE = np.int64(FLOAT64_EXPONENT), np.int64(2**63 - 1)
_SIGN = ~_SIZE
_NOT_PLAIN = _SIZE
_BINS = np.array(BIN_STARTS, np.int64)
LARGEST, UNEQUAL, SMALL, SMALL_ERRORS, MOST_ABS, MOST_REL, MOST_STEPS, DISTANCE, WORST = range(9)
SCALED, SCALED_DISTANCE, SCALED_WORST = range(9, 12)
PLACES = 12
"""Places in ``found``: the largest number on either side, the elements that are not the rounded golden, those below the
threshold and those of them that err, maxima of errors, of steps and of distances, and where the largest distance is;
the largest error scaled by terms, the distance there, and where that is."""


class Terms(NamedTuple):
    """What errors are scaled by: the terms of each element, or none, in the type's ``unit``.

    Beyond each of the ``slacks``, in steps, and beyond ``underflow``.
    """

    of: Any
    unit: float
    underflow: float
    slacks: Any


class Format(NamedTuple):
    """A type's numbers as float64: ``magic`` times a power of two rounds to its step there, 0 rounds to nothing.

    ``maximum`` is the pattern of its largest number. A normal number's pattern in the type is its own, shifted by
    ``shift``, less ``offset``. The 16-bit pattern of a magnitude, shifted by ``upward``, is that of a float32 which is
    ``scale`` times too small; of no number it becomes none or one that is too large.
    """

    magic: float
    smallest_normal: float
    smallest_subnormal: float
    epsilon: float
    maximum: int
    shift: int
    offset: int
    upward: int
    scale: float


@compiled
def count(output, golden, terms, block, form, domain, probes, scratch, results):  # type: ignore[no-untyped-def]
    """Fill a row of ``results`` for each block of so many elements; 16-bit outputs come as patterns."""
    found, bins, beyond, scaled, sums = results
    for at in range((len(output) + block - 1) // block):
        start, stop = at * block, min((at + 1) * block, len(output))
        row = found[at], bins[at], beyond[at], scaled[at], sums[at]
        part = Terms(terms.of[start:stop], terms.unit, terms.underflow, terms.slacks)
        _count_block(output[start:stop], golden[start:stop], part, form, domain, probes, scratch, row)


@compiled
def _count_block(output, golden, terms, form, domain, probes, scratch, results):  # type: ignore[no-untyped-def]
    """Count a block chunk by chunk, and add up by halves as numpy does."""
    found, bins, beyond, scaled, sums = results
    found[:], bins[:], beyond[:], scaled[:] = 0, 0, 0, 0.0
    work, below = scratch
    parts, partial = np.empty((DEPTH, 2), np.int64), np.empty((DEPTH, 3))
    parts[0] = len(output), 0
    stack = np.empty((DEPTH, 2), np.int64), np.empty(DEPTH)
    waiting, depth, start = 1, 0, 0
    while waiting:
        size, additions, waiting = next_part(parts, waiting, CHUNK)
        stop = start + size
        chunk = output[start:stop], golden[start:stop]
        is_golden = _look_at(chunk, terms, start, form, domain[0], probes, scratch, results)
        for at in range(3):
            partial[depth, at] = 0.0 if is_golden else pairwise(work[at, :size], stack)
        for _ in range(additions):
            depth -= 1
            partial[depth] += partial[depth + 1]
        depth += 1
        start = stop
    sums[:3] = partial[0]
    _count_below(below, domain[1], stack, found, sums)


@compiled
def _look_at(chunk, terms, start, form, threshold, probes, scratch, results):  # type: ignore[no-untyped-def]
    """Whether a chunk of outputs is the very golden; else what is to be added up of it is in ``scratch`` then."""
    work, below = scratch
    found, bins, beyond, scaled, _ = results
    output, golden = chunk
    size, small_before = len(output), found[SMALL]
    error, ratio, square, target = work[0, :size], work[1, :size], work[2, :size], work[3, :size]
    wide, step = work[4, :size], work[5, :size]
    _widen(output, form, wide)
    if _is_golden(wide, golden, threshold, found):
        below[:, small_before : found[SMALL]] = 0.0
        return True
    unequal, most = _measure(wide, golden, form, error, ratio, target, found)
    if unequal:
        found[UNEQUAL] += unequal
        distance = _count_distances(wide, golden, target, error, step, start, form, found, bins)
        if len(terms.of):
            _scale(error, step, distance, terms, start, found, scaled)
    _count_beyond(golden, error, most, probes, form, beyond)
    if found[SMALL] > small_before:
        _set_below_aside(golden, error, ratio, threshold, small_before, below)
    _square(error, ratio, square, found)
    return False


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
def _is_golden(output, golden, threshold, found):  # type: ignore[no-untyped-def]
    """Whether outputs are the very goldens; counts elements below the threshold and looks for the largest output."""
    differing, largest, small = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        got, want = output[i], np.float64(golden[i])
        bits = np.float64(got).view(np.int64)
        differing |= bits ^ want.view(np.int64)
        largest = max(largest, bits & _SIZE)
        small += np.int64(abs(want) < threshold)
    found[LARGEST] = max(found[LARGEST], largest)
    found[SMALL] += small
    return differing == 0


@compiled
def _measure(output, golden, form, error, ratio, target, found):  # type: ignore[no-untyped-def]
    """Fill in errors and magnitudes of rounded goldens; returns how many outputs are not those, and the most error."""
    largest, unequal, most = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        got, want = output[i], np.float64(golden[i])
        bits, size = want.view(np.int64), abs(want)
        power = max(np.int64(bits & _EXPONENT).view(np.float64), form.smallest_normal)
        magic = power * form.magic
        near = np.float64((size + magic) - magic)
        pattern = near.view(np.int64)
        largest = max(largest, pattern & _SIZE)
        unequal += np.int64((pattern | (bits & _SIGN)) != np.float64(got).view(np.int64))
        target[i] = near
        far = np.float64(abs(got - want))
        most = max(most, far.view(np.int64))
        error[i] = far
        ratio[i] = far / (size + RELATIVE_FLOOR)
    found[LARGEST] = max(found[LARGEST], largest)
    return unequal, np.int64(most).view(np.float64)


@compiled
def _count_distances(output, golden, target, error, step, start, form, found, bins):  # type: ignore[no-untyped-def]
    """Count how far outputs are from rounded goldens, in numbers of the type, which it returns, and in its steps."""
    distance = np.empty(len(output), np.int64)
    most_steps, longest, strange = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(output)):
        got, want = output[i], np.float64(golden[i])
        size, near = abs(got), np.float64(target[i])
        opposite = (np.float64(got).view(np.int64) ^ want.view(np.int64)) < 0
        differs = opposite | (size != near)
        strange += np.int64(differs & (opposite | (size == 0.0) | (near == 0.0)))
        distance[i] = abs(_place(size, form) - _place(near, form))
        longest = max(longest, distance[i])
        larger = np.float64(max(size, abs(want)))
        power = np.int64(larger.view(np.int64) & _EXPONENT).view(np.float64)
        step[i] = max(power * form.epsilon, form.smallest_subnormal)
        steps = error[i] / step[i]
        most_steps = max(most_steps, np.float64(steps if differs else 0.0).view(np.int64))
    if strange:
        found[LARGEST] = _NOT_PLAIN
    found[MOST_STEPS] = max(found[MOST_STEPS], most_steps)
    if longest > found[DISTANCE]:
        found[DISTANCE] = longest
        found[WORST] = start + np.argmax(distance)
    _count_bins(distance, longest, bins)
    return distance


@compiled
def _scale(error, step, distance, terms, start, found, scaled):  # type: ignore[no-untyped-def]
    """Look for the largest error of those that are not the rounded golden, by its terms, beyond each slack."""
    for at in range(len(terms.slacks)):
        slack, most, worst = terms.slacks[at], 0.0, 0
        for i in range(len(error)):
            excess = max(error[i] - slack * step[i] - terms.underflow, 0.0) if distance[i] else 0.0
            ratio = excess / (terms.unit * terms.of[start + i]) if excess > 0.0 else 0.0
            ratio = np.inf if ratio != ratio else ratio
            if ratio > most:
                most, worst = ratio, i
        scaled[at] = max(scaled[at], most)
        if at == 0 and most > np.int64(found[SCALED]).view(np.float64):
            found[SCALED] = np.float64(most).view(np.int64)
            found[SCALED_DISTANCE], found[SCALED_WORST] = distance[worst], start + worst


@compiled
def _place(size, form):  # type: ignore[no-untyped-def]
    """Place of a magnitude among those of the type, which are counted from 0 on."""
    number = np.float64(size)
    if number < form.smallest_normal:
        return np.int64(number / form.smallest_subnormal)
    return (number.view(np.int64) >> form.shift) - form.offset


@compiled
def _count_bins(distance, longest, bins):  # type: ignore[no-untyped-def]
    for at in range(1, len(_BINS)):
        if _BINS[at] > longest:
            break
        above = np.int64(0)
        for i in range(len(distance)):
            above += np.int64(distance[i] >= _BINS[at])
        bins[at] += above
        if at > 1:
            bins[at - 1] -= above


@compiled
def _count_beyond(golden, error, most, probes, form, beyond):  # type: ignore[no-untyped-def]
    """Count the elements beyond each tolerance and each cap; none is where ``most``, the largest error, is not."""
    tolerances, caps = probes
    for at in range(len(tolerances)):
        rtol, atol = tolerances[at]
        if most <= atol:
            continue
        over = np.int64(0)
        for i in range(len(error)):
            over += np.int64(error[i] > abs(golden[i]) * rtol + atol)
        beyond[at] += over
    for at in range(len(caps)):
        limit, ulps = caps[at]
        if most <= limit:
            continue
        over = np.int64(0)
        for i in range(len(error)):
            power = np.int64(np.float64(golden[i]).view(np.int64) & _EXPONENT).view(np.float64)
            step = max(power * form.epsilon, form.smallest_subnormal)
            over += np.int64((error[i] > limit) & (error[i] > ulps * step))
        beyond[len(tolerances) + at] += over


@compiled
def _set_below_aside(golden, error, ratio, threshold, place, below):  # type: ignore[no-untyped-def]
    """Move the errors of the elements below the threshold from ``place`` on, and leave 0."""
    for i in range(len(error)):
        if abs(golden[i]) < threshold:
            below[0, place], below[1, place] = error[i], ratio[i]
            error[i] = ratio[i] = 0.0
            place += 1


@compiled
def _square(error, ratio, square, found):  # type: ignore[no-untyped-def]
    """Fill in squares, and look for the largest errors."""
    most_abs, most_rel = np.int64(0), np.int64(0)
    for i in range(len(error)):
        square[i] = error[i] * error[i]
        most_abs = max(most_abs, np.float64(error[i]).view(np.int64))
        most_rel = max(most_rel, np.float64(ratio[i]).view(np.int64))
    found[MOST_ABS] = max(found[MOST_ABS], most_abs)
    found[MOST_REL] = max(found[MOST_REL], most_rel)


@compiled
def _count_below(below, limit, stack, found, sums):  # type: ignore[no-untyped-def]
    """Add up the errors of the elements below the threshold, which are used up."""
    error, ratio = below[0, : found[SMALL]], below[1, : found[SMALL]]
    sums[3], sums[4] = pairwise(error, stack), pairwise(ratio, stack)
    sums[6:] = 0.0
    for i in range(len(error)):
        sums[6], sums[7] = max(sums[6], error[i]), max(sums[7], ratio[i])
        found[SMALL_ERRORS] += error[i] > limit
        ratio[i] = error[i] * error[i]
    sums[5] = pairwise(ratio, stack)
