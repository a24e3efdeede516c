"""Threshold: another value where x ≤ threshold, else (also for NaN) x; both scalars are cast to the type of x."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall

intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``, ``threshold`` and ``value``."""
    return cast_result(call, replaced(call, call.inputs["self"]))


def replaced(call: KernelCall, x: Array) -> Array:
    """The function of ``x``, in its type."""
    limit, other = (_cast(call, name, x) for name in ("threshold", "value"))
    result: Array = np.where(x <= limit, other, x)
    return result


def _cast(call: KernelCall, name: str, x: Array) -> Array:
    """The scalar in x's type, as a C cast gives it: fractions cut off, integers taken modulo their range."""
    value = np.asarray(call.scalars[name].value)
    with np.errstate(invalid="ignore", over="ignore"):
        return value.astype(x.dtype)
