"""Other forms and readings of functions of one tensor, as ``formulas`` has them for the first APIs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO, dtype_of, erf, round_to
from runners.simulator.casts import cast_result
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation import gelu
from runners.variants.formulas import Formulas

Lanes = Callable[[KernelCall, Array], Array]
"""Lanes of ``self`` → lanes of the result."""
_HALF, _THREE, _SIX = np.float32(0.5), np.float32(3), np.float32(6)
_TANH_SLOPE, _CUBIC = np.float32(0.7978845608), np.float32(0.044715)


def _of_self(lanes: Lanes) -> Callable[[KernelCall], Mapping[str, Array]]:
    """A kernel that computes in float32, delivers in the type of ``self`` and casts to that of ``out``."""

    def compute(call: KernelCall) -> Mapping[str, Array]:
        x = call.inputs["self"]
        return cast_result(call, call.unit.deliver(lanes(call, call.unit.widen(x)), dtype_of(x)))

    return compute


def _number(call: KernelCall, name: str) -> Array:
    return np.asarray(call.scalars[name].value, np.float32)


def _celu_as_written(call: KernelCall, x: Array) -> Array:
    """Formula max(0, x) + min(0, α·(exp(x/α) − 1)), the 1 taken from exp."""
    alpha = _number(call, "alpha")
    total: Array = np.maximum(x, ZERO) + np.minimum(alpha * (call.unit.exp(x / alpha) - ONE), ZERO)
    return total


def _celu_without_nan(call: KernelCall, x: Array) -> Array:
    """A maximum and a minimum that drop NaN."""
    alpha = _number(call, "alpha")
    total: Array = np.fmax(x, ZERO) + np.fmin(alpha * (call.unit.exp(x / alpha) - ONE), ZERO)
    return total


def _hardswish_as_product(call: KernelCall, x: Array) -> Array:
    """Formula x · (x + 3 cut to 0…6) / 6."""
    total: Array = x * np.minimum(np.maximum(x + _THREE, ZERO), _SIX) / _SIX
    return total


def _leaky_as_sum(call: KernelCall, x: Array) -> Array:
    """Formula max(x, 0) + slope · min(x, 0)."""
    total: Array = np.maximum(x, ZERO) + _number(call, "negativeSlope") * np.minimum(x, ZERO)
    return total


def _gelu_by_tanh(call: KernelCall, x: Array) -> Array:
    """Formula x/2 · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))."""
    total: Array = _HALF * x * (ONE + np.tanh(_TANH_SLOPE * (x + _CUBIC * x * x * x)))
    return total


def _gelu_at_its_limit(call: KernelCall, x: Array) -> Array:
    """The limit 0 at minus infinity."""
    return np.where(np.isneginf(x), ZERO, gelu.by_tanh(call, x))


def _fast_gelu_of_sizes(call: KernelCall, x: Array) -> Array:
    """Formula x / (1 + exp(−1.702·|x|)) · exp(1.702·min(x, 0)), whose exponentials never overflow."""
    slope = np.float32(1.702)
    share = call.unit.logistic(slope * np.abs(x), numerator=x)
    return call.unit.multiply(share, call.unit.exp(slope * np.minimum(x, ZERO)))


def _shrunk(limit: str, shift: str) -> Lanes:
    """A NaN stays; the scalars are float32."""

    def lanes(call: KernelCall, x: Array) -> Array:
        bound, bias = _number(call, limit), _number(call, shift)
        moved = np.where(x > bound, x - bias, np.where(x < -bound, x + bias, ZERO))
        return np.where(np.isnan(x), x, moved)

    return lanes


def _threshold_keeps(call: KernelCall) -> Mapping[str, Array]:
    """Keeps x where x > threshold, so that NaN is replaced; the threshold is float32 beside floats."""
    x = call.inputs["self"]
    limit, other = (np.asarray(call.scalars[name].value) for name in ("threshold", "value"))
    floating = dtype_of(x).is_float
    above = call.unit.widen(x) > limit.astype(np.float32) if floating else x > limit
    return cast_result(call, np.where(above, x, round_to(other, dtype_of(x))))


def _gelu_v2_by_half(call: KernelCall) -> Mapping[str, Array]:
    """By erf as x · (1/2 + erf/2), by tanh as documents write it."""
    unit = call.unit
    x = unit.widen(call.inputs["x"])
    by_erf = x * (_HALF + _HALF * erf(x * np.float32(1 / sqrt(2))))
    lanes = _gelu_by_tanh(call, x) if call.attributes["approximate"] == 1 else by_erf
    return {"y": unit.deliver(lanes, call.spec.outputs["y"].dtype)}


UNARY_FORMS: Formulas = {
    "aclnnCelu": _of_self(_celu_as_written),
    "aclnnFastGelu": _of_self(_fast_gelu_of_sizes),
    "aclnnGelu": _of_self(_gelu_by_tanh),
    "aclnnGeluV2": _gelu_v2_by_half,
    "aclnnHardswish": _of_self(_hardswish_as_product),
    "aclnnLeakyRelu": _of_self(_leaky_as_sum),
}
UNARY_READINGS: Formulas = {
    "aclnnCelu": _of_self(_celu_without_nan),
    "aclnnGelu": _of_self(_gelu_at_its_limit),
    "aclnnShrink": _of_self(_shrunk("lambd", "bias")),
    "aclnnSoftshrink": _of_self(_shrunk("lambd", "lambd")),
    "aclnnThreshold": _threshold_keeps,
}
