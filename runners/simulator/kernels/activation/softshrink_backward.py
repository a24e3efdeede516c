"""Soft shrink backward: dy where |x| > λ or x is NaN, else 0; 16-bit types are compared in float32.

Inputs of two types are cast to float32, and the result is float32 then.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import round_to, widen
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.operands import prepared_operands


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be broadcast or cast to float32."""
    return prepared_operands(spec, "gradOutput", "self")


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``self`` and ``lambda``."""
    dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
    value = call.scalars["lambda"].value
    assert isinstance(value, int | float)
    lanes = np.where(np.abs(widen(x)) <= np.float32(value), np.zeros((), dy.dtype), dy)
    return {"gradInput": round_to(lanes, call.spec.outputs["gradInput"].dtype)}
