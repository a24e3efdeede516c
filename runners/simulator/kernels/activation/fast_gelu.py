"""Fast GELU: x / (1 + exp(−1.702·x)) in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall

_SLOPE = np.float32(1.702)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    unit = call.unit
    x = unit.widen(call.inputs["self"])
    lanes = unit.logistic(unit.multiply(x, _SLOPE), numerator=x)
    return {"out": unit.deliver(lanes, call.spec.outputs["out"].dtype)}
