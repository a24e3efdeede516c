"""How tensors are filled: one function a kind of ``values`` in case files. Deterministic in the generator given.

Every function returns float64 numbers (integers for ``integers`` and beyond 2^53) of the tensor's element count, flat
in row-major order; rounding to the dtype is the caller's. ``cycle``-like kinds repeat an odd number of values so that
every SIMD lane (a power of two) meets each of them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from conformance.dtype import DType, Kind, largest, smallest_normal, smallest_subnormal
from conformance.number import parse_number
from conformance.tensor import Shape

Numbers = npt.NDArray[Any]
_Fill = Callable[[Any, DType, Shape, int, np.random.Generator], Numbers]
_SOFTMAX_SPREAD = 2.0


class InvalidValues(ValueError):
    """Values that do not fit their tensor."""


def _list(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
    numbers = _elements(argument, dtype)
    if len(numbers) != count:
        raise InvalidValues(f"a list of {len(numbers)} values for {count} elements")
    return numbers


def _uniform(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
    low, high = _floats(argument)
    if not 0 <= high - low < np.inf:
        raise InvalidValues(f"no uniform numbers from {low:g} to {high:g}: the bounds must ascend, a finite way apart")
    # What Generator.uniform computes, several numbers at a time and rounded alike on every machine.
    numbers = random.random(count)
    numbers *= high - low
    numbers += low
    return numbers


def _normal(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
    mean, deviation = _floats(argument)
    return random.normal(mean, deviation, count)


def _integers(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
    low, high = (int(parse_number(item)) for item in argument)
    return random.integers(low, high, count, endpoint=True)


def _arange(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
    start, step = _floats(argument)
    numbers: Numbers = start + step * np.arange(count)
    return numbers


def _constant(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
    return np.full(count, parse_number(argument))


def _cycle(argument: Any, dtype: DType) -> Numbers:
    return _elements(argument, dtype)


def _ladder(argument: Any, dtype: DType) -> Numbers:
    around = [parse_number(item) for item in argument["around"]]
    if argument.get("mirror", True):
        around += [-threshold for threshold in around if threshold]
    rungs = [rung for threshold in around for rung in ladder(dtype, threshold, argument.get("steps", 2))]
    return _elements(rungs, dtype)


def _specials(argument: Any, dtype: DType) -> Numbers:
    if argument not in SPECIALS:
        raise InvalidValues(f"no special-value set {argument!r}; sets are {', '.join(SPECIALS)}")
    return _elements(SPECIALS[argument](dtype), dtype)


_CYCLES: Mapping[str, Callable[[Any, DType], Numbers]] = {"cycle": _cycle, "ladder": _ladder, "specials": _specials}
"""Kinds that repeat their numbers to the end."""


def _period(kind: str, argument: Any, dtype: DType) -> Numbers:
    """What a kind repeats: an odd number of numbers, not to be written to."""
    return _found_period(kind, pickle.dumps(argument), dtype)


@lru_cache(1024)
def _found_period(kind: str, argument: bytes, dtype: DType) -> Numbers:
    """The same of an argument that is pickled, which makes it a key; cases of a group and their tensors share it."""
    numbers = _CYCLES[kind](pickle.loads(argument), dtype)
    period = np.append(numbers, numbers[0]) if gcd(len(numbers), 2) == 2 else numbers
    period.flags.writeable = False
    return period


def _repeating(kind: str) -> _Fill:
    def numbers(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
        return np.resize(_period(kind, argument, dtype), count)

    return numbers


def _simplex(argument: Any, dtype: DType, shape: Shape, count: int, random: np.random.Generator) -> Numbers:
    weights = np.exp(random.normal(0.0, _SOFTMAX_SPREAD, shape))
    if not shape:
        return np.ones(1)
    shares: Numbers = weights / weights.sum(axis=argument["axis"], keepdims=True)
    return shares.reshape(-1)


def ladder(dtype: DType, threshold: float, steps: int) -> list[float]:
    """The threshold rounded to ``dtype`` and its ``steps`` neighbours on each side, in order."""
    if not dtype.is_float:
        return [round(threshold) + step for step in range(-steps, steps + 1)]
    if dtype.codes is not None:
        numbers = np.unique(dtype.codes.numbers[np.isfinite(dtype.codes.numbers)])
        at = int(np.searchsorted(numbers, dtype.codes.nearest(np.asarray(threshold))))
        return [float(number) for number in numbers[max(at - steps, 0) : at + steps + 1]]
    assert dtype.numpy is not None
    center = np.asarray(threshold).astype(dtype.numpy)
    below, above = [center], [center]
    with np.errstate(over="ignore"):  # the neighbour of the largest number is infinity
        for _ in range(steps):
            below.append(np.nextafter(below[-1], dtype.numpy.type(-np.inf)))
            above.append(np.nextafter(above[-1], dtype.numpy.type(np.inf)))
    return [float(number) for number in (*reversed(below[1:]), *above)]


def _every_special(dtype: DType) -> list[float]:
    if not dtype.is_float:
        return _integer_extremes(dtype)
    return [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, *_extremes(dtype), 1.0, -1.0]


def _finite_specials(dtype: DType) -> list[float]:
    return [number for number in _every_special(dtype) if np.isfinite(number)]


def _extremes(dtype: DType) -> list[float]:
    sizes = (smallest_subnormal(dtype), smallest_normal(dtype), largest(dtype))
    return [sign * size for size in sizes for sign in (1.0, -1.0)]


def _integer_extremes(dtype: DType) -> list[float]:
    if dtype.kind is Kind.BOOL or dtype.numpy is None:
        return [0, 1]
    limits = np.iinfo(dtype.numpy)
    return [0, 1, -1, int(limits.max), int(limits.min)] if limits.min < 0 else [0, 1, int(limits.max)]


SPECIALS: Mapping[str, Callable[[DType], list[float]]] = {
    "every": _every_special,
    "finite": _finite_specials,
    "nonfinite": lambda dtype: [float("nan"), float("inf"), float("-inf")],
    "zeros": lambda dtype: [0.0, -0.0, 1.0],
}
"""Named special-value sets: what they hold depends on the dtype (subnormals, largest, …)."""

VALUE_KINDS: Mapping[str, _Fill] = {
    "list": _list,
    "uniform": _uniform,
    "normal": _normal,
    "integers": _integers,
    "arange": _arange,
    "constant": _constant,
    **{kind: _repeating(kind) for kind in _CYCLES},
    "simplex": _simplex,
}


DRAWN = frozenset({"uniform", "normal", "integers", "simplex"})
"""Kinds that draw from the generator; the others follow from their argument alone."""
BLOCK = 1 << 15
"""Numbers made together where none depends on its place: so many stay in a processor's cache."""
_IN_SEQUENCE = frozenset({"uniform", "normal", "integers", "constant"})
"""Kinds whose every number comes from the generator alone, so that a later block goes on where one before ended."""


def fill(
    kind: str, argument: Any, each: int, dtype: DType, shape: Shape, count: int, random: np.random.Generator
) -> Numbers:
    """``count`` numbers of a kind, each repeated ``each`` times in a row; raises InvalidValues."""
    if each == 1:
        return VALUE_KINDS[kind](argument, dtype, shape, count, random)
    distinct = VALUE_KINDS[kind](argument, dtype, shape, -(-count // each), random)
    return np.repeat(distinct, each)[:count]


def fill_in_blocks(
    kind: str, argument: Any, each: int, dtype: DType, shape: Shape, count: int, random: np.random.Generator
) -> Iterator[Numbers]:
    """The numbers of ``fill``, a block after the other where they need not be made together; raises InvalidValues."""
    if each == 1 and kind in _IN_SEQUENCE:
        for start in range(0, count, BLOCK):
            yield VALUE_KINDS[kind](argument, dtype, shape, min(BLOCK, count - start), random)
    elif each == 1 and kind in _CYCLES:
        period = _period(kind, argument, dtype)
        block = np.resize(period, min(count, max(1, BLOCK // len(period)) * len(period)))
        for start in range(0, count, len(block)):
            yield block[: count - start]
    else:
        yield fill(kind, argument, each, dtype, shape, count, random)


def complaint_about(kind: str, argument: Any, each: int, dtype: DType, rank: int) -> str:
    """What is wrong with values of a kind for tensors of ``rank`` axes; "" when nothing is. ``argument`` is JSON's."""
    return _complaint(kind, pickle.dumps(argument), each, dtype, rank)


@lru_cache(4096)
def _complaint(kind: str, argument: bytes, each: int, dtype: DType, rank: int) -> str:
    """The same of an argument that is pickled, which makes it a key."""
    random = np.random.Generator(np.random.PCG64(0))
    # Of a list only the numbers are looked at here: how many there must be depends on the shape.
    kind, given = ("cycle" if kind == "list" else kind), pickle.loads(argument)
    try:
        if given != []:
            fill(kind, given, each, dtype, (1,) * rank, 1, random)
    except (ValueError, TypeError, OverflowError, KeyError, AttributeError, IndexError) as error:
        return str(error)
    return ""


def _elements(argument: Any, dtype: DType) -> Numbers:
    """Numbers that become elements as they are: whole ones beyond 2^53 stay whole in an integer type."""
    numbers = np.array(_floats(argument), dtype=np.float64)
    if not dtype.is_integer or dtype.numpy is None or not (np.abs(numbers) >= 2.0**53).any():
        return numbers
    whole = [parse_number(item) for item in argument]
    limits = np.iinfo(dtype.numpy)
    fits = all(isinstance(number, int) and limits.min <= number <= limits.max for number in whole)
    return np.array(whole, dtype=dtype.numpy) if fits else numbers


def _floats(argument: Any) -> list[float]:
    if not isinstance(argument, list):
        raise InvalidValues(f"{argument!r} is no list of numbers")
    return [float(parse_number(item)) for item in argument]
