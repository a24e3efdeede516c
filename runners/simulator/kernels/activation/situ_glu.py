"""SituGLU: β·tanh(x/β)·σ(x)·λ·tanh(u/λ) in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.halves import halves_of, integer, number, written
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``x``."""
    unit = call.unit
    x, u = gate_and_other(call)
    beta, linear = number(call, "beta"), number(call, "linearBeta")
    bent = unit.multiply(np.tanh(unit.divide(x, beta)), beta)
    straight = unit.multiply(np.tanh(unit.divide(u, linear)), linear)
    return {"out": written(call, "out", unit.multiply(unit.multiply(bent, unit.logistic(x)), straight))}


def gate_and_other(call: KernelCall) -> tuple[Array, Array]:
    """Lanes of the half that σ is taken of, and of the other."""
    left, right = halves_of(call.unit.widen(call.inputs["x"]), integer(call, "dim"))
    return (left, right) if integer(call, "activateLeft") else (right, left)
