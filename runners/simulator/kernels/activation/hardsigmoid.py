"""Hard sigmoid: x·(1/6) + 1/2 in float32, cut to [0, 1]; int32 results are cut off to whole numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO
from runners.simulator.kernel import KernelCall

_SIXTH, _HALF = np.float32(1 / 6), np.float32(0.5)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    return {"out": cut_line(call, call.inputs["self"])}


def cut_line(call: KernelCall, x: Array) -> Array:
    """The function of ``x``, delivered in its type."""
    unit, (spec, *_) = call.unit, call.spec.outputs.values()
    line = unit.multiply_add(unit.widen(x), _SIXTH, _HALF)
    lanes = np.minimum(np.maximum(line, ZERO), ONE)
    return unit.deliver(np.trunc(lanes) if spec.dtype.is_integer else lanes, spec.dtype)
