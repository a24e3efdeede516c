"""SituGLU backward in float32, each element rounded once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE
from runners.simulator.halves import half_like, integer, number, whole_of, written
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.situ_glu import gate_and_other


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradY`` and ``x``."""
    unit = call.unit
    x, u = gate_and_other(call)
    dy = half_like(unit.widen(call.inputs["gradY"]), x)
    beta, linear = number(call, "beta"), number(call, "linearBeta")
    tanh, other = np.tanh(unit.divide(x, beta)), np.tanh(unit.divide(u, linear))
    share = unit.logistic(x)
    front = unit.multiply(unit.multiply(tanh, beta), share)
    slope = unit.multiply(ONE - unit.multiply(tanh, tanh), share) + unit.multiply(front, ONE - share)
    of_gate = unit.multiply(unit.multiply(dy, unit.multiply(other, linear)), slope)
    of_other = unit.multiply(unit.multiply(dy, front), ONE - unit.multiply(other, other))
    halves = (of_gate, of_other) if integer(call, "activateLeft") else (of_other, of_gate)
    return {"out": written(call, "out", whole_of(*halves))}
