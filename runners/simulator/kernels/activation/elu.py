"""ELU: scale·x above 0, else α·scale·(exp(inputScale·x) − 1), in float32; float64 is computed in its own type.

An infinite or NaN α or inputScale takes another way: scale times x above 0, else −α.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, dtype_of
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import VectorUnit

_NEAR = np.float32(0.1)
_COEFFICIENTS = tuple(np.float32(1 / divisor) for divisor in (5040, 720, 120, 24, 6, 2, 1))


intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and the scalars."""
    return cast_result(call, elu(call, call.inputs["self"]))


def elu(call: KernelCall, values: Array) -> Array:
    """The function of ``values``, in their type; the scalars are float32 in any case."""
    unit, dtype = call.unit, dtype_of(values)
    wide = dtype.name == "float64"
    x = values if wide else unit.widen(values)
    alpha, scale, slope = (x.dtype.type(np.float32(scalar(call, name))) for name in ("alpha", "scale", "inputScale"))
    if not (np.isfinite(alpha) and np.isfinite(slope)):
        return unit.deliver(unit.multiply(np.where(x <= 0, -alpha, x), scale), dtype)
    z = unit.multiply(x, slope)
    below = unit.multiply(alpha * scale, np.expm1(z) if wide else less_one(unit, z))
    return unit.deliver(np.where(x > 0, unit.multiply(x, scale), below), dtype)


def less_one(unit: VectorUnit, z: Array) -> Array:
    """exp(z) − 1 in float32; within 0.1 of 0, where both terms would cancel, by a polynomial."""
    total: Array = np.zeros_like(z)
    for coefficient in _COEFFICIENTS:
        total = unit.multiply(total + coefficient, z)
    return np.where(np.abs(z) < _NEAR, total, unit.exp(z) - ONE)


def scalar(call: KernelCall, name: str) -> float:
    """Number of a real scalar."""
    value = call.scalars[name].value
    assert isinstance(value, int | float)
    return float(value)
