"""Sigmoid: 1 / (1 + exp(-x)) in float32, or in the type of x where that is wider; rounded to nearest even.

An integer x is cast to the type of the result first; a floating-point one is computed in its own type and then cast.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DType
from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of, round_to
from runners.simulator.kernel import KernelCall

_WIDE = ("float64", "complex64", "complex128")


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    return {"out": logistic(call, call.inputs["self"], call.spec.outputs["out"].dtype)}


def logistic(call: KernelCall, x: Array, dtype: DType) -> Array:
    """σ(x) in ``dtype``, by way of the type it is computed in."""
    x = x if dtype_of(x).is_float or dtype_of(x).name in _WIDE else round_to(x, dtype)
    if dtype_of(x).name in _WIDE:
        wide: Array = 1 / (1 + np.exp(-x))
        return round_to(wide, dtype)
    return round_to(call.unit.deliver(call.unit.logistic(call.unit.widen(x)), dtype_of(x)), dtype)
