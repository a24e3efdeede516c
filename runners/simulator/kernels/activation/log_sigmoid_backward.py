"""Log-sigmoid backward: dy / (1 + exp(x)) in float32, rounded to nearest even; ``buffer`` is not read."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``self``."""
    unit = call.unit
    dy, x = (unit.widen(call.inputs[name]) for name in ("gradOutput", "self"))
    return {"gradInput": unit.deliver(unit.logistic(-x, numerator=dy), call.spec.outputs["gradInput"].dtype)}
