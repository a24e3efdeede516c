"""What wrong elements hold: the fill pattern, zeros, NaN, neighbours of the golden, or the golden of other elements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice, permutations

import numpy as np

from conformance.dtype import DTYPES
from conformance.evidence import Guess, Specimen
from conformance.layout import last_element
from conformance.patterns import Finding, Pattern
from conformance.tensor import FILL_BYTE, SECOND_FILL_BYTE, Array, Shape, contiguous_strides
from conformance.wrong import far

_SURE = 0.98
_FARTHEST_SHIFT = 1024
_ALL_ORDERS = 4
"""Axes up to which every order is tried; of more, the reverse, exchanges of two and moves of the first or last."""
_TRIED = 32
_LARGEST_STORAGE = 1 << 22
"""Elements of storage up to which it is written anew to try another layout."""


def held(specimen: Specimen) -> Finding | None:
    """Wrong elements that hold the fill pattern, or zero: nothing needs to be guessed for these."""
    raw = np.ascontiguousarray(specimen.got).view(np.uint8)
    if any(bool((raw == byte).all()) for byte in (FILL_BYTE, SECOND_FILL_BYTE)):
        return Finding(Pattern.UNWRITTEN, "never written, they hold the pattern from before the call")
    if not (specimen.got == 0).all():
        return None
    if specimen.dtype.is_float and np.isnan(specimen.want).all():
        return Finding(Pattern.NAN_LOST, "they should be NaN and are zero")
    if specimen.wrong.cutoff == 0 and specimen.dtype.is_float:
        return Finding(Pattern.FLUSHED, "subnormal results are flushed to zero")
    return Finding(Pattern.ZERO, "they are zero")


def misplaced(specimen: Specimen) -> Finding | None:
    """Golden numbers in other places than their own."""
    tried = (
        Finding(Pattern.OUTPUT_LAYOUT_IGNORED, f"as if written without {what}")
        for what, guess in unlaid(specimen, specimen.sides.golden)
        if specimen.explains(guess, 2)
    )
    return next(tried, None) or _changed_class(specimen) or _permuted(specimen) or _shifted(specimen)


def altered(specimen: Specimen) -> Finding | None:
    """Numbers made from the golden, or from an input, element by element."""
    return _near(specimen) or _sign(specimen) or _copied(specimen) or _low_precision(specimen) or _factor(specimen)


def in_place(numbers: Array) -> Guess:
    """The guess that the output holds these numbers, flat and in order."""
    return lambda indices: _take(numbers, indices)


def unlaid(specimen: Specimen, numbers: Array) -> Iterator[tuple[str, Guess]]:
    """Guesses that ``numbers`` were written without the output's strides, its offset, or both."""
    strides, offset, shape = specimen.evidence.strides, specimen.evidence.offset, specimen.shape
    if strides is None or specimen.sides.parts != 1 or last_element(shape, strides) + offset >= _LARGEST_STORAGE:
        return
    dense = contiguous_strides(shape)
    if strides != dense:
        yield "the output's strides", _written(specimen, numbers, dense, offset)
    if offset:
        yield "the output's offset", _written(specimen, numbers, strides, 0)
    if offset and strides != dense:
        yield "the output's strides and offset", _written(specimen, numbers, dense, 0)


def _written(specimen: Specimen, numbers: Array, strides: Shape, offset: int) -> Guess:
    """The guess that ``numbers`` were written with these strides and offset, and are read with the output's own."""
    shape, own = specimen.shape, specimen.evidence.strides or ()
    item = specimen.sides.output.dtype
    (fill,) = np.frombuffer(bytes([FILL_BYTE]) * item.itemsize, item).astype(np.float64)
    ends = (specimen.evidence.offset + last_element(shape, own), offset + last_element(shape, strides))
    storage = np.full(max(ends) + 1, fill)
    storage[_places(shape, strides, offset, np.arange(len(numbers)))] = numbers
    return lambda indices: _take(storage, _places(shape, own, specimen.evidence.offset, indices))


def _places(shape: Shape, strides: Shape, offset: int, indices: Array) -> Array:
    """Where elements of a view, by flat index, lie in its storage."""
    along = np.unravel_index(indices, shape) if shape else ()
    places: Array = sum((at * stride for at, stride in zip(along, strides, strict=True)), offset + 0 * indices)
    return places


def _take(numbers: Array, source: Array) -> tuple[Array, Array]:
    """Numbers at flat indices that may lie outside, and where they do not."""
    known = (source >= 0) & (source < len(numbers))
    return numbers[np.where(known, source, 0)].astype(np.float64), known


def _changed_class(specimen: Specimen) -> Finding | None:
    if not specimen.dtype.is_float:
        return None
    got, goal = specimen.got.astype(np.float64), specimen.goal.astype(np.float64)
    for pattern, phrase, holds in (
        (Pattern.NAN, "they are NaN", np.isnan(got)),
        (Pattern.NAN_LOST, "they should be NaN and are not", np.isnan(goal)),
        (Pattern.INFINITE, "they are infinite", np.isinf(got)),
        (Pattern.INFINITY_LOST, "they should be infinite and are not", np.isinf(goal)),
    ):
        if holds.all():
            return Finding(pattern, phrase)
    return None


def _is_telling(specimen: Specimen, fewest: int) -> bool:
    """Whether enough different wrong numbers are there for a coincidence to be unlikely."""
    return len(np.unique(specimen.got.astype(np.float64))) >= fewest


def _permuted(specimen: Specimen) -> Finding | None:
    shape = specimen.shape
    if len(shape) < 2 or specimen.sides.parts != 1 or not _is_telling(specimen, 2):
        return None
    for order in _orders(len(shape)):
        if specimen.explains(_reordered(specimen, order), 2):
            phrase = "transposed" if len(shape) == 2 else f"in the order of axes {list(order)}"
            return Finding(Pattern.PERMUTED, f"as if {phrase}")
    return None


def _orders(rank: int) -> Iterator[tuple[int, ...]]:
    """Orders of axes other than their own."""
    own = tuple(range(rank))
    if rank <= _ALL_ORDERS:
        yield from islice(permutations(own), 1, None)
        return
    yield own[::-1]
    for one, two in combinations(own, 2):
        yield tuple(two if axis == one else one if axis == two else axis for axis in own)
    for at in range(rank - 2):
        yield (*own[:at], *own[at + 1 :], own[at])
        yield (*own[:at], own[-1], *own[at:-1])


def _reordered(specimen: Specimen, order: tuple[int, ...]) -> Guess:
    """The guess that the golden with its axes in that order was written densely."""
    permuted = tuple(specimen.shape[axis] for axis in order)
    along = tuple(contiguous_strides(specimen.shape)[axis] for axis in order)
    return lambda indices: _take(specimen.sides.golden, _places(permuted, along, 0, indices))


def _shifted(specimen: Specimen) -> Finding | None:
    if not _is_telling(specimen, 3):
        return None
    for shift in islice(_shifts(specimen), 4):
        if specimen.explains(_moved(specimen, shift), 3):
            way = f"{abs(shift)} {'element' if abs(shift) == 1 else 'elements'}"
            return Finding(Pattern.SHIFTED, f"each holds the result from {way} {'later' if shift > 0 else 'earlier'}")
    return None


def _moved(specimen: Specimen, shift: int) -> Guess:
    return lambda indices: _take(specimen.sides.golden, indices + shift)


def _shifts(specimen: Specimen) -> Iterator[int]:
    """Shifts, nearest first, under which a few wrong elements hold the golden of another element."""
    kept, size = specimen.wrong.kept, specimen.wrong.size
    some = kept[:: max(1, len(kept) // _TRIED)][:, None]
    farthest = min(_FARTHEST_SHIFT, size - 1)
    shifts = np.array([k for near in range(1, farthest + 1) for k in (near, -near)], np.int64)
    predicted, known = _take(specimen.sides.golden, some + shifts)
    got = specimen.sides.output[some].astype(np.float64)
    near = np.abs(predicted - got) <= 4 * max(specimen.wrong.cutoff, 1.0) * specimen.dtype.unit * np.abs(got)
    near |= (predicted == got) | (np.isnan(predicted) & np.isnan(got))
    fits = ((near | ~known).mean(axis=0) >= _SURE) & (known.mean(axis=0) >= 0.5)
    yield from shifts[fits].tolist()


def _near(specimen: Specimen) -> Finding | None:
    """Elements that are a rounding step or a few away."""
    most = float(specimen.distance.max())
    if not specimen.dtype.is_float or most > far(specimen.dtype):
        return None
    if most > 1:
        return Finding(Pattern.FEW_ULPS, f"off by up to {most:.0f} ULP")
    got, goal = specimen.got.astype(np.float64), specimen.goal.astype(np.float64)
    ways = {
        ", towards zero as if truncated": np.abs(got) < np.abs(goal),
        ", away from zero": np.abs(got) > np.abs(goal),
        ", always upwards": got > goal,
        ", always downwards": got < goal,
    }
    return Finding(Pattern.ONE_ULP, "off by one ULP" + next((way for way, holds in ways.items() if holds.all()), ""))


def _sign(specimen: Specimen) -> Finding | None:
    flipped = specimen.matches(specimen.got, -specimen.want).mean() >= _SURE
    return Finding(Pattern.SIGN, "the sign is flipped") if flipped else None


def _copied(specimen: Specimen) -> Finding | None:
    if not _is_telling(specimen, 2):
        return None
    for name in specimen.evidence.inputs:
        values = specimen.input_at(name, specimen.wrong.kept)
        if values is not None and specimen.matches(specimen.got, values).mean() >= _SURE:
            return Finding(Pattern.COPIED, f"they are copies of {name}")
    return None


def _low_precision(specimen: Specimen) -> Finding | None:
    """Numbers of a type with fewer bits, near the golden, where the golden needs more."""
    if not specimen.dtype.is_float or not _is_telling(specimen, 3):
        return None
    got, want = specimen.got.astype(np.float64), specimen.want
    for name in ("bfloat16", "float16", "float32"):
        low = DTYPES[name]
        if low.bits >= specimen.dtype.bits or low.numpy is None:
            continue
        fits = (specimen.got.astype(low.numpy).astype(np.float64) == got).mean() >= _SURE
        needed = (specimen.goal.astype(low.numpy).astype(np.float64) != specimen.goal).mean() >= 0.5
        close = (np.abs(got - want) <= 8 * low.unit * np.abs(want)).mean() >= _SURE
        if fits and needed and close:
            return Finding(Pattern.LOW_PRECISION, f"they are {name} numbers, as if computed in it")
    return None


def _factor(specimen: Specimen) -> Finding | None:
    got, want = specimen.got.astype(np.float64), specimen.want
    usable = np.isfinite(got) & np.isfinite(want) & (want != 0)
    if not usable.all() or len(np.unique(np.abs(want))) < 3:
        return None
    ratio = got / want
    factor = float(np.median(ratio))
    # A factor is a guess with one free number, so it needs several elements and a tight fit.
    tight = np.abs(ratio - factor) <= 8 * specimen.dtype.unit * abs(factor)
    if tight.mean() < _SURE or factor == 0:
        return None
    return Finding(Pattern.FACTOR, f"each is {factor:.6g} times the expected number")
