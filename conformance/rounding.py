"""Floating-point formats as bit patterns or as tables, and correct rounding into them.

numpy rounds float64 to float32 and float16 directly; ml_dtypes goes through float32 and so rounds twice. Here the
way through float32 rounds to odd where that matters, which makes the second rounding correct.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from conformance.coded import CodeTable
from conformance.dtype import DTYPES, DType, largest, smallest_normal, smallest_subnormal
from conformance.tensor import Array

FLOAT64_EXPONENT = 0x7FF0_0000_0000_0000


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """Bit patterns of a sign-magnitude floating-point type; ``bits`` is the unsigned type of an array's elements.

    ``magnitude`` masks the sign away in ``patterns``. Magnitudes up to ``largest`` are finite, ``infinity`` is
    infinite (equal to ``largest`` where the type has no infinity), and everything above is NaN. ``arithmetic_normal``
    is the smallest normal number of the arithmetic behind the type: float64 for itself, float32 for all others.
    """

    numpy: np.dtype[Any]
    bits: np.dtype[Any]
    magnitude: int
    largest: int
    infinity: int
    epsilon: float
    unit: float
    maximum: float
    smallest_normal: float
    smallest_subnormal: float
    arithmetic_normal: float

    def patterns(self, values: Array) -> Array:
        """Sign and magnitude of values as unsigned integers, neighbours differing by 1."""
        pattern: Array = values.view(self.bits)
        return pattern

    def underflow(self, term_count: int) -> float:
        """What so many terms may lose to numbers too near to 0, at most."""
        return term_count * (self.smallest_subnormal / 2 + self.arithmetic_normal)

    def ulp(self, size: Array) -> Array:
        """Step of the type at each magnitude ``size`` (float64, ≥ 0, finite)."""
        power = (size.view(np.uint64) & np.uint64(FLOAT64_EXPONENT)).view(np.float64)
        step: Array = np.maximum(power * self.epsilon, self.smallest_subnormal)
        return step


@dataclass(frozen=True, slots=True)
class TableFormat(FloatFormat):
    """Format of a type that is stored as codes: its numbers come as float32, their places in the table as patterns."""

    table: CodeTable

    def patterns(self, values: Array) -> Array:
        """Place of each number among the magnitudes, with the sign above."""
        return self.table.ranks(values)

    def ulp(self, size: Array) -> Array:
        """Step from the number at or below each magnitude to the next."""
        return self.table.ulp(size)


def _table_format(dtype: DType, table: CodeTable) -> TableFormat:
    top = len(table.sizes) - 1
    single = np.dtype(np.float32)
    return TableFormat(
        single,
        np.dtype(np.uint32),
        0x7FFF,
        top,
        top + 1 if table.overflow is not None else top,
        2.0**-dtype.mantissa,
        dtype.unit,
        table.largest,
        table.smallest_normal,
        table.smallest,
        smallest_normal(DTYPES["float32"]),
        table,
    )


@cache
def float_format(dtype: DType) -> FloatFormat:
    """Format of a real floating-point dtype; ValueError for any other dtype."""
    if dtype.codes is not None:
        return _table_format(dtype, dtype.codes)
    if dtype.numpy is None or not dtype.is_float:
        raise ValueError(f"{dtype.name} is not a floating-point type")
    bits = np.dtype(f"uint{dtype.bits}")

    def pattern(number: float) -> int:
        return int(np.asarray(number).astype(dtype.numpy).view(bits))

    top = pattern(largest(dtype))
    with np.errstate(over="ignore", invalid="ignore"):
        has_infinity = bool(np.isinf(np.asarray(np.inf).astype(dtype.numpy).astype(np.float64)))
    return FloatFormat(
        dtype.numpy,
        bits,
        (1 << (dtype.bits - 1)) - 1,
        top,
        top + 1 if has_infinity else top,
        2.0**-dtype.mantissa,
        dtype.unit,
        largest(dtype),
        smallest_normal(dtype),
        smallest_subnormal(dtype),
        smallest_normal(dtype if dtype.bits == 64 else DTYPES["float32"]),
    )


@cache
def exact_pattern(number: float, dtype: DType) -> Any:
    """Bit pattern of a number that a floating-point dtype holds exactly, as a scalar; None of any other."""
    with np.errstate(all="ignore"):
        element = np.asarray(number).astype(dtype.carrier)
    return element.view(float_format(dtype).bits)[()] if float(element) == number else None


def rounded(values: Array, dtype: DType, out: Array | None = None) -> Array:
    """float64 ``values`` rounded once to a floating-point ``dtype``, ties to even; into ``out`` where given.

    Numbers of a type that is stored as codes come as float32, and its table says where ties go. Overflow gives
    infinity, or NaN in a type without infinities. Callers silence numpy's overflow warnings.
    """
    result = np.empty(values.shape, dtype.carrier) if out is None else out
    if dtype.codes is not None:
        np.copyto(result, dtype.codes.nearest(values))
        return result
    if dtype.bits > 16 or dtype.numpy == np.float16:
        result[...] = values
        return result
    single = values.astype(np.float32)
    result[...] = single
    # bfloat16 has float32's exponents, so a second rounding can only go wrong at its ties.
    suspect = (single.view(np.uint32) & 0xFFFF) == 0x8000 if dtype.bits == 16 else np.ones(single.shape, np.bool_)
    if suspect.any():
        result[suspect] = _odd(values[suspect]).astype(dtype.numpy)
    return result


def _odd(values: Array) -> Array:
    """float32 rounded to odd: truncated, with the last bit set wherever anything was cut off."""
    near = values.astype(np.float32)
    wide = near.astype(np.float64)
    inexact = (wide != values) & ~np.isnan(values)
    too_far = inexact & (np.abs(wide) > np.abs(values))
    bits = near.view(np.uint32)
    bits -= too_far
    bits |= inexact
    return near
