"""Squared ReLU: the larger of x and 0 times itself in float32; NaN stays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO
from runners.simulator.halves import written
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``input``, of which only the number of elements counts."""
    unit = call.unit
    kept = np.maximum(unit.widen(call.inputs["input"]), ZERO)
    return {"out": written(call, "out", unit.multiply(kept, kept))}
