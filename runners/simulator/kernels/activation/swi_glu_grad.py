"""SwiGLU backward: g·b·σ·(1 + a·(1 − σ)) and g·a·σ in float32, each rounded once."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE
from runners.simulator.halves import half_like, halves_of, integer, whole_of, written
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``yGrad``, ``x`` and ``dim``."""
    unit = call.unit
    a, b = halves_of(unit.widen(call.inputs["x"]), integer(call, "dim"))
    g = half_like(unit.widen(call.inputs["yGrad"]), a)
    share = unit.logistic(a)
    slope = unit.multiply(share, unit.multiply_add(a, ONE - share, ONE))
    left = unit.multiply(unit.multiply(g, b), slope)
    right = unit.multiply(g, unit.multiply(a, share))
    return {"out": written(call, "out", whole_of(left, right))}
