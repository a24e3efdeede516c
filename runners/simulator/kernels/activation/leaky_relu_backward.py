"""Leaky ReLU backward: dy where x > 0, else (also for NaN) dy·slope, in float32 or, for float64, in float64.

Mixed inputs are promoted; the result is rounded to nearest even in that type, then cast to that of ``out``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.operands import prepared_operands, promoted


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be broadcast or promoted, and the result where it must be cast."""
    return prepared_operands(spec, "gradOutput", "self")


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradOutput``, ``self`` and ``negativeSlope``."""
    dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
    value, dtype = call.scalars["negativeSlope"].value, promoted(call.spec, "gradOutput", "self")
    assert isinstance(value, int | float)
    slope = np.float32(value)
    if dtype.name == "float64":
        scaled = dy * np.float64(slope)
    else:
        scaled = call.unit.deliver(call.unit.multiply(call.unit.widen(dy), slope), dtype)
    result = np.where(x > np.zeros((), x.dtype), dy, scaled)
    return {"out": round_to(call.stored("result", result), call.spec.outputs["out"].dtype)}
