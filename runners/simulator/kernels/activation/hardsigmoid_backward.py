"""Hard sigmoid backward: dy·(1/6) where 0 < x·(1/6) + 1/2 < 1 in float32, else 0, for NaN too.

Mixed inputs are promoted; the result is rounded to nearest even in that type, then cast to that of ``out``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.operands import prepared_operands, promoted

_SIXTH, _HALF = np.float32(1 / 6), np.float32(0.5)


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be promoted, and the result where it must be cast."""
    return prepared_operands(spec, "gradOutput", "self")


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradOutput`` and ``self``."""
    unit = call.unit
    dy, x = (unit.widen(call.prepared(name)) for name in ("gradOutput", "self"))
    line = unit.multiply_add(x, _SIXTH, _HALF)
    lanes = np.where((line > ZERO) & (line < ONE), unit.multiply(dy, _SIXTH), ZERO)
    result = unit.deliver(lanes, promoted(call.spec, "gradOutput", "self"))
    return {"out": round_to(call.stored("result", result), call.spec.outputs["out"].dtype)}
