"""GELU by tanh: x / (1 + exp(−1.5957691·(x + 0.044715·x³))) in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall

_SLOPE, _CUBIC = np.float32(1.595769121), np.float32(0.044715)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    x = call.unit.widen(call.inputs["self"])
    return {"out": call.unit.deliver(by_tanh(call, x), call.spec.outputs["out"].dtype)}


def by_tanh(call: KernelCall, x: Array) -> Array:
    """The function of lanes."""
    unit = call.unit
    cube = unit.multiply(unit.multiply(x, x), x)
    return unit.logistic(unit.multiply(unit.multiply_add(cube, _CUBIC, x), _SLOPE), numerator=x)
