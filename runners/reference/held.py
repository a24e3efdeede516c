"""Scalars beside a tensor: the numbers that they may count as, depending on the type that holds them."""

from __future__ import annotations

from math import isfinite

from conformance.dtype import DTYPES, DType
from conformance.number import round_to


def held(number: float, dtype: DType) -> tuple[float, ...]:
    """The number as given, as float32 holds it, and as ``dtype``, the tensor's type, does; each once.

    Integers that float64 does not hold stay ``int``.
    """
    return tuple(numbers[0] for numbers in held_together((number,), dtype))


def held_together(numbers: tuple[float, ...], dtype: DType) -> tuple[tuple[float, ...], ...]:
    """Several numbers, each time all held alike. Integers cut fractions off; they hold no NaN and no infinities."""
    kept = [numbers, _rounded(numbers, DTYPES["float32"])]
    if dtype.is_float or all(map(isfinite, numbers)):
        kept.append(_rounded(numbers, dtype))
    return tuple({repr(row): row for row in kept}.values())


def _rounded(numbers: tuple[float, ...], dtype: DType) -> tuple[float, ...]:
    return tuple(_exact(round_to(dtype, number)) for number in numbers)


def _exact(number: int | float) -> int | float:
    """The number as a float, or as it is where no float is equal."""
    return float(number) if float(number) == number or isinstance(number, float) else number
