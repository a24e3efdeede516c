"""Hard swish backward: dy times 0 below -3, x·(1/3) + 1/2 up to 3, 1 above and for NaN, in float32."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO
from runners.simulator.kernel import KernelCall

THREE, THIRD, HALF = np.float32(3), np.float32(1 / 3), np.float32(0.5)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradOutput`` and ``self``; both limits lie on the slanted branch."""
    x = call.unit.widen(call.inputs["self"])
    return {"out": times_slope(call, x, low=x < -THREE, middle=x <= THREE)}


def times_slope(call: KernelCall, x: Array, *, low: Array, middle: Array) -> Array:
    """``gradOutput`` times 0 where ``low``, times the slanted line where ``middle`` of the rest, elsewhere times 1."""
    unit = call.unit
    line = unit.multiply_add(x, THIRD, HALF)
    slope = np.where(low, ZERO, np.where(middle, line, ONE))
    return unit.deliver(unit.multiply(unit.widen(call.inputs["gradOutput"]), slope), call.spec.outputs["out"].dtype)
