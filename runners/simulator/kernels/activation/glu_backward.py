"""Gradient of the gated linear unit: g · s beside g · a · s · (1 − s) with s = σ(b), in float32, rounded once.

Float64 is computed in itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, dtype_of
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import FLOAT32_UNIT


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradOut``, ``self`` and ``dim``."""
    dim, dtype = call.attributes["dim"], dtype_of(call.inputs["self"])
    assert isinstance(dim, int)
    wide = dtype.name == "float64"
    unit = FLOAT32_UNIT if wide else call.unit
    g, x = (call.inputs[name] if wide else unit.widen(call.inputs[name]) for name in ("gradOut", "self"))
    a, b = np.split(x, 2, dim)
    share = unit.logistic(b)
    first = unit.multiply(g, share)
    second = unit.multiply(unit.multiply(first, a), ONE - share)
    return {"out": unit.deliver(np.concatenate([first, second], dim), call.spec.outputs["out"].dtype)}
