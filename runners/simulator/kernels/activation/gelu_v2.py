"""GELU: x/2 · (1 + erf(x/√2)) in float32, or by tanh where ``approximate`` is 1; rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, erf
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.gelu import by_tanh

_HALF, _ROOT = np.float32(0.5), np.float32(1 / sqrt(2))


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``y`` of ``x``."""
    unit = call.unit
    x = unit.widen(call.inputs["x"])
    lanes = by_tanh(call, x) if call.attributes["approximate"] == 1 else by_erf(call, x)
    return {"y": unit.deliver(lanes, call.spec.outputs["y"].dtype)}


def by_erf(call: KernelCall, x: Array) -> Array:
    """The function of lanes by erf."""
    unit = call.unit
    return unit.multiply(unit.multiply(x, _HALF), ONE + erf(unit.multiply(x, _ROOT)))
