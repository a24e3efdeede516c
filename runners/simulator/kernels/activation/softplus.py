"""Softplus: x where β·x exceeds the threshold, else ln(1 + exp(β·x)) / β, in float32, rounded to nearest even.

β and the threshold are float32. The result is in the type of x and cast on its way into another.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.elu import scalar

intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and the scalars."""
    unit, values = call.unit, call.inputs["self"]
    x = unit.widen(values)
    beta, threshold = (x.dtype.type(np.float32(scalar(call, name))) for name in ("beta", "threshold"))
    product = unit.multiply(x, beta)
    curve = unit.divide(unit.log1p(unit.exp(product)), beta)
    return cast_result(call, unit.deliver(np.where(product > threshold, x, curve), dtype_of(values)))
