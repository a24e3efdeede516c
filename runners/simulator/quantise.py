"""Float32 lanes cast into types of few numbers, as the cast instructions do it: saturating, with a rounding mode."""

from __future__ import annotations

import numpy as np

from conformance.dtype import DType, largest
from conformance.tensor import Array
from runners.simulator.arithmetic import round_to

_HIFLOAT8_DIGITS = np.array([3] * 4 + [2] * 4 + [1] * 8)
"""Fraction bits of hifloat8 by the size of the exponent."""
_HIFLOAT8_LOWEST = -22


def quantise(lanes: Array, dtype: DType) -> Array:
    """``lanes`` in ``dtype``: hifloat8 rounds to nearest, ties away from zero, all other types ties to even.

    Beyond the largest number stands that number; NaN stays NaN, and is 0 in integer types.
    """
    if dtype.is_integer:
        return round_to(lanes, dtype)
    top = np.float32(largest(dtype))
    held = np.clip(lanes, -top, top)
    if dtype.name == "hifloat8":
        return _to_hifloat8(held)
    if dtype.codes is not None:
        return dtype.codes.nearest(held.astype(np.float64))
    return round_to(held, dtype)


def _to_hifloat8(lanes: Array) -> Array:
    """Numbers of hifloat8 as float32: fewer fraction bits the larger the exponent, none below 2^-15."""
    _, exponent = np.frexp(lanes)
    exponent = np.maximum(exponent - 1, _HIFLOAT8_LOWEST)
    digits = np.where(exponent < -15, 0, _HIFLOAT8_DIGITS[np.minimum(np.abs(exponent), 15)])
    step = np.ldexp(np.float32(1), exponent - digits)
    whole = np.floor(np.abs(lanes) / step)
    rounded = (whole + (np.abs(lanes) / step - whole >= np.float32(0.5))) * step
    # hifloat8 has no zero with a sign.
    result: Array = np.where(rounded == 0, np.float32(0), np.copysign(rounded, lanes)).astype(np.float32)
    return result
