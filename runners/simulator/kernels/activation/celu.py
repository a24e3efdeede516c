"""CELU: max(x, 0) + min(α·(exp(x/α) − 1), 0) in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO, dtype_of
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.elu import less_one, scalar

intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``alpha``."""
    return cast_result(call, celu(call, call.inputs["self"]))


def celu(call: KernelCall, values: Array) -> Array:
    """The function of ``values``, in their type."""
    unit, alpha, dtype = call.unit, np.float32(scalar(call, "alpha")), dtype_of(values)
    x = unit.widen(values)
    below = unit.multiply(alpha, less_one(unit, unit.divide(x, alpha)))
    return unit.deliver(np.maximum(x, ZERO) + np.minimum(below, ZERO), dtype)
