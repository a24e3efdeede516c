"""SiLU: x / (1 + exp(-x)) in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    unit = call.unit
    x = unit.widen(call.inputs["self"])
    return {"out": unit.deliver(unit.logistic(x, numerator=x), call.spec.outputs["out"].dtype)}
