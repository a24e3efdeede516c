"""Numbers that made tensors hold: simple ones first, then fractions, specials, and thresholds with neighbours.

Nothing here is random in the sense of case files: values are written out, so that a case holds the same numbers under
any name and any seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import isfinite, isnan, prod
from random import Random
from typing import Any

from conformance.dtype import DType
from conformance.number import round_to, write_number
from conformance.tensor import Shape
from conformance.values import SPECIALS, ladder
from runners.fuzz.choices import Choices

_SIMPLE = (1.0, -1.0, 0.0, 2.0, -2.0, 0.5, -0.5, 3.0)
_FRACTIONS = 40
_LARGE = 1 << 16
MOST_WRITTEN = 33
"""Distinct values of a tensor; larger tensors repeat them. Odd, so that every lane meets each."""


@cache
def pool(dtype: DType, thresholds: tuple[float, ...] = ()) -> tuple[float, ...]:
    """Numbers to choose from, simplest first; ``thresholds`` bring their neighbours and negatives along."""
    random = Random(dtype.name)
    if not dtype.is_float:
        return (*(float(number) for number in (1, 0, -1, 2, -2, 3, 5, -7)),)
    fractions = (random.uniform(-1, 1) * 4 ** random.randint(-3, 3) for _ in range(_FRACTIONS))
    rungs = [rung for t in thresholds if isfinite(t) for sign in (1, -1) for rung in ladder(dtype, sign * t, 1)]
    return (*_SIMPLE, *fractions, *rungs, *SPECIALS["every"](dtype))


def values(
    dtype: DType, shape: Shape, choices: Choices, thresholds: Sequence[float], *, tame: bool, repeats: bool = False
) -> Any:
    """Values of an input, as a case file writes them: a list for few elements, a cycle for many.

    A layout that ``repeats`` elements stores fewer than the shape has, and takes a cycle.

    ``tame`` numbers can be multiplied and summed in any order without overflow, NaN among them all the same.
    """
    numbers = pool(dtype, tuple(thresholds))
    if choices.pick([False, True]):
        numbers = tuple(number for number in numbers if _is_moderate(number))
    elif tame:
        numbers = tuple(number for number in numbers if _is_moderate(number) or isnan(number))
    wanted = max(prod(shape), 1)
    count = min(wanted, choices.pick([1, 3, 7, MOST_WRITTEN]))
    chosen = [written(dtype, numbers[index]) for index in choices.indices(len(numbers), count)]
    return {"list" if count == prod(shape) and not repeats else "cycle": chosen}


def written(dtype: DType, number: float) -> Any:
    """The number as ``dtype`` holds it, whole ones without point as people write them."""
    rounded = write_number(round_to(dtype, number))
    whole = isinstance(rounded, float) and rounded.is_integer() and abs(rounded) < _LARGE
    return int(rounded) if whole else rounded


def _is_moderate(number: float) -> bool:
    """Whether products and short sums of such numbers neither overflow nor underflow in 16 bits."""
    return number == 0 or 1 / 256 <= abs(number) <= 256
