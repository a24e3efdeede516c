"""Leaky ReLU: x > 0 ? x : x · slope, the slope in float32; float64 is computed in its own type."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall

intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``negativeSlope``."""
    return cast_result(call, leaky(call, call.inputs["self"]))


def leaky(call: KernelCall, values: Array) -> Array:
    """The function of ``values``, in their type."""
    unit, slope = call.unit, call.scalars["negativeSlope"].value
    assert isinstance(slope, int | float)
    lanes = values if dtype_of(values).name == "float64" else unit.widen(values)
    scaled = unit.deliver(unit.multiply(lanes, np.float32(slope)), dtype_of(values))
    result: Array = np.where(values > np.zeros((), values.dtype), values, scaled)
    return result
