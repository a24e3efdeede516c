"""FATReLU and product: a where it is above the threshold, else 0, times b, in float32; NaN is not above it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO
from runners.simulator.halves import halves_of, written
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``input`` and ``threshold``, a tensor of one element."""
    unit = call.unit
    a, b = halves_of(unit.widen(call.inputs["input"]))
    kept = np.where(a > unit.widen(call.inputs["threshold"]).reshape(()), a, ZERO)
    return {"out": written(call, "out", unit.multiply(kept, b))}
