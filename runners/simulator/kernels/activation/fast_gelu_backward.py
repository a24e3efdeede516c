"""Fast GELU backward: dy · σ(z) · (1 + z · (1 − σ(z))) with z = 1.702 · x in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.silu_backward import gradient

_SLOPE = np.float32(1.702)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``self``."""
    unit = call.unit
    dy, x = (unit.widen(call.inputs[name]) for name in ("gradOutput", "self"))
    lanes = gradient(unit, dy, unit.multiply(x, _SLOPE))
    return {"gradInput": unit.deliver(lanes, call.spec.outputs["gradInput"].dtype)}
