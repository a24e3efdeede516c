"""SwiGLU: a / (1 + exp(-a)) · b in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.halves import halves_of, integer, written
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``x`` and ``dim``."""
    unit = call.unit
    a, b = halves_of(unit.widen(call.inputs["x"]), integer(call, "dim"))
    return {"out": written(call, "out", unit.multiply(unit.logistic(a, numerator=a), b))}
