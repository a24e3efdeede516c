"""Mish: x·t in float32 with t from exp(-|x|), rounded to nearest even; NaN at minus infinity.

Below 0, t = (e² + 2e) / (e² + 2e + 2) with e = exp(x); from 0 on, (1 + 2e) / (1 + 2e + 2e²) with e = exp(-x).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO
from runners.simulator.kernel import KernelCall

_TWO = np.float32(2)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    return {"out": mish(call, call.inputs["self"])}


def mish(call: KernelCall, x: Array) -> Array:
    """Mish of ``x``, delivered in the type of the only output."""
    unit, (spec, *_) = call.unit, call.spec.outputs.values()
    lanes = unit.widen(x)
    e = unit.exp(-np.abs(lanes))
    small, large = unit.multiply_add(e, e, _TWO * e), unit.multiply_add(_TWO, e, ONE)
    below, above = unit.divide(small, small + _TWO), unit.divide(large, unit.multiply_add(_TWO * e, e, large))
    return unit.deliver(unit.multiply(lanes, np.where(lanes < ZERO, below, above)), spec.dtype)
