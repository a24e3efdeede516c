"""Where wrong elements stand: under which inputs, at which end, in which slice, block or lanes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf, prod

import numpy as np

from conformance.dtype import BY_NUMPY, smallest_normal
from conformance.evidence import Specimen
from conformance.float_pass import BLOCK
from conformance.patterns import Finding, Pattern
from conformance.tensor import Array
from conformance.wrong import PERIODS, Wrong

_UNLIKELY = 0.01
"""Chance below which elements do not fall into a region by accident."""
_WHOLE = 0.75
"""Share of the output above which a block or range says nothing."""
_FEWEST_RECURRING = 4
_BLOCKS = (8, 16, 32, 64, 128)
_BLOCK_BYTES = 32

Test = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class _Region:
    """A part of the output that contains every wrong element: how many elements it has."""

    size: int
    finding: Finding

    def is_dense(self, count: int) -> bool:
        """Whether at least half of the region is wrong."""
        return 2 * count >= self.size

    def is_credible(self, count: int, size: int) -> bool:
        """Whether the region is mostly wrong, or too small a part for so many elements to meet in by accident."""
        return self.size < size and (self.is_dense(count) or (self.size / size) ** count <= _UNLIKELY)


def whereabouts(specimen: Specimen) -> Finding:
    """The most telling place: special inputs that are mostly wrong, a position, other inputs, or none of these."""
    wrong = specimen.wrong
    if wrong.count == wrong.size:
        return Finding(Pattern.EVERYWHERE, "every element")
    special = list(_under(specimen, _SPECIAL))
    found = _smallest(region for region in special if region.size < wrong.size and region.is_dense(wrong.count))
    found = found or _position(wrong, specimen.evidence.output.dtype.itemsize)
    found = found or _smallest(region for region in special if region.is_credible(wrong.count, wrong.size))
    found = found or _smallest(r for r in _under(specimen, _SIGNS) if r.is_credible(wrong.count, wrong.size))
    rate = round(wrong.size / wrong.count)
    return found or Finding(Pattern.SCATTERED, f"scattered, one in {rate}" if rate > 3 else "scattered")


def _smallest(regions: Iterator[_Region]) -> Finding | None:
    best = min(regions, key=lambda region: region.size, default=None)
    return None if best is None else best.finding


_WORDS = {
    Pattern.NAN_INPUT: "is NaN",
    Pattern.INFINITE_INPUT: "is infinite",
    Pattern.ZERO_INPUT: "is zero",
    Pattern.SUBNORMAL_INPUT: "is subnormal",
    Pattern.NEGATIVE_INPUT: "is negative",
    Pattern.POSITIVE_INPUT: "is positive",
}


_SPECIAL: dict[Pattern, Test] = {
    Pattern.NAN_INPUT: np.isnan,
    Pattern.INFINITE_INPUT: np.isinf,
    Pattern.ZERO_INPUT: lambda x: x == 0,
}
_SIGNS: dict[Pattern, Test] = {Pattern.NEGATIVE_INPUT: lambda x: x < 0, Pattern.POSITIVE_INPUT: lambda x: x > 0}


def _under(specimen: Specimen, tests: Mapping[Pattern, Test]) -> Iterator[_Region]:
    """Regions in which one input, or any of them, passes a test."""
    kept = specimen.wrong.kept
    for name, array in specimen.evidence.inputs.items():
        values = specimen.input_at(name, kept)
        if values is None:
            continue
        for finding, test in [*_named(name, tests), *_of_type(name, array, specimen)]:
            if test(values).all():
                yield _Region(_population(specimen, array, test), finding)
    yield from _under_any(specimen, tests)


def _named(name: str, tests: Mapping[Pattern, Test]) -> Iterator[tuple[Finding, Test]]:
    for pattern, test in tests.items():
        yield Finding(pattern, f"only where {name} {_WORDS[pattern]}"), test


def _of_type(name: str, array: Array, specimen: Specimen) -> Iterator[tuple[Finding, Test]]:
    """Tests that depend on the input's type or the call's scalars."""
    dtype = BY_NUMPY.get(array.dtype)
    if dtype is None or not dtype.is_float:
        return
    normal = smallest_normal(dtype)
    subnormal = Finding(Pattern.SUBNORMAL_INPUT, f"only where {name} {_WORDS[Pattern.SUBNORMAL_INPUT]}")
    yield subnormal, lambda x: (x != 0) & (np.abs(x) < normal)
    for scalar, threshold in specimen.evidence.thresholds.items():
        size, step = abs(threshold), 4 * dtype.unit * abs(threshold)
        if 0 < size < inf:
            near = Finding(Pattern.THRESHOLD_INPUT, f"only where {name} is at ±{scalar} ({size:g})")
            yield near, partial(_is_near, size=size, step=step)


def _is_near(values: Array, size: float, step: float) -> Array:
    near: Array = np.abs(np.abs(values) - size) <= step
    return near


def _population(specimen: Specimen, array: Array, test: Test) -> int:
    """Elements of the output over which an input passes a test."""
    flat = array.reshape(-1)
    blocks = (flat[start : start + BLOCK].astype(np.float64) for start in range(0, len(flat), BLOCK))
    hits = sum(int(np.count_nonzero(test(block))) for block in blocks)
    return hits * (specimen.wrong.size // len(flat))


def _under_any(specimen: Specimen, tests: Mapping[Pattern, Test]) -> Iterator[_Region]:
    kept, inputs = specimen.wrong.kept, specimen.evidence.inputs
    values = {name: found for name in inputs if (found := specimen.input_at(name, kept)) is not None}
    if len(values) < 2:
        return
    for pattern, test in tests.items():
        if np.logical_or.reduce([test(some) for some in values.values()]).all():
            size = sum(_population(specimen, inputs[name], test) for name in values)
            yield _Region(min(size, specimen.wrong.size), Finding(pattern, f"only where an input {_WORDS[pattern]}"))


def _position(wrong: Wrong, itemsize: int) -> Finding | None:
    if wrong.count == 1:
        if wrong.last == wrong.size - 1:
            return Finding(Pattern.LAST_ELEMENT, "only the last element")
        place = [int(at) for at in np.unravel_index(wrong.first, wrong.shape)]
        return Finding(Pattern.ONE_ELEMENT, f"only element {place}")
    regions = [*_tails(wrong, itemsize), *_slices(wrong), *_blocks(wrong), *_lanes(wrong)]
    return _smallest(region for region in regions if region.is_dense(wrong.count))


def _tails(wrong: Wrong, itemsize: int) -> Iterator[_Region]:
    unit = _BLOCK_BYTES // itemsize
    for block in dict.fromkeys((unit, *_BLOCKS)):
        start = wrong.size // block * block
        if 0 < start <= wrong.first:
            name = f"32-byte block ({unit} elements)" if block == unit else f"{block} elements"
            phrase = f"only the {wrong.size - start} elements of the tail beyond the last whole {name}"
            if block != unit:
                phrase = f"only the {wrong.size - start} elements of the tail beyond the last multiple of {name}"
            yield _Region(wrong.size - start, Finding(Pattern.TAIL, phrase))


def _slices(wrong: Wrong) -> Iterator[_Region]:
    if sum(extent > 1 for extent in wrong.shape) < 2:
        return
    for axis, (extent, (low, high)) in enumerate(zip(wrong.shape, wrong.spans, strict=True)):
        if high - low + 1 > _WHOLE * extent:
            continue
        which = f"index {low}" if low == high else f"indices {low} to {high}"
        end = ", the last" if high == extent - 1 else ", the first" if low == 0 else ""
        phrase = f"only {which} of {extent} along axis {axis}{end}"
        yield _Region(wrong.size // extent * (high - low + 1), Finding(Pattern.SLICE, phrase))


def _blocks(wrong: Wrong) -> Iterator[_Region]:
    size = wrong.last - wrong.first + 1
    if size <= _WHOLE * wrong.size:
        end = "the last " if wrong.last == wrong.size - 1 else "the first " if wrong.first == 0 else ""
        phrase = f"only {end or 'a block of '}{size} elements, from {wrong.first} to {wrong.last}"
        yield _Region(size, Finding(Pattern.BLOCK, phrase))


def _lanes(wrong: Wrong) -> Iterator[_Region]:
    if wrong.count < _FEWEST_RECURRING:
        return
    if 1 < wrong.stride <= wrong.size // _FEWEST_RECURRING:
        size = len(range(wrong.first % wrong.stride, wrong.size, wrong.stride))
        phrase = f"only every {_ordinal(wrong.stride)} element, from {wrong.first % wrong.stride} on"
        yield _Region(size, Finding(Pattern.LANES, phrase))
    for period, hit in zip(PERIODS, wrong.lanes, strict=True):
        lanes = np.flatnonzero(hit)
        low, high = int(lanes[0]), int(lanes[-1])
        if wrong.size >= _FEWEST_RECURRING * period and 2 * (high - low + 1) <= period:
            size = prod((wrong.size // period, high - low + 1))
            phrase = f"only lanes {low} to {high} of every {period} elements"
            yield _Region(size, Finding(Pattern.LANES, phrase))


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
