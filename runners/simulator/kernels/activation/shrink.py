"""Shrink: x − bias above λ, x + bias below −λ, else (also for NaN) 0; λ and bias rounded to x's type."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO, dtype_of
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall

intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``, ``lambd`` and ``bias``."""
    return cast_result(call, moved(call, limit="lambd", shift="bias"))


def moved(call: KernelCall, limit: str, shift: str) -> Array:
    """The function with the scalars of these names, in the type of ``self``."""
    values, unit = call.inputs["self"], call.unit
    x = unit.widen(values)
    bound, bias = (unit.widen(_held(call, name, values)) for name in (limit, shift))
    lanes = np.where(x > bound, x - bias, np.where(x < -bound, x + bias, ZERO))
    return unit.deliver(lanes, dtype_of(values))


def _held(call: KernelCall, name: str, values: Array) -> Array:
    return np.asarray(call.scalars[name].value, np.float32).astype(values.dtype)
