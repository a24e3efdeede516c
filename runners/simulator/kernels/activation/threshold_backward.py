"""Threshold backward: dy where x is above the threshold or NaN, else 0.

A threshold up to float32's smallest step counts as 0. That is ReLU's gradient, which the DAV_3510 cores compute as a
product, dy·0 or dy·1; everywhere else lanes are selected.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DTYPES
from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of, round_to, widen
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.operands import prepared_operands

PRODUCT_ARCH = "DAV_3510"
_STEP = np.finfo(np.float32).eps


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be broadcast."""
    return prepared_operands(spec, "gradOutput", "self")


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradOutput``, ``self`` and ``threshold``."""
    dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
    value = call.scalars["threshold"].value
    assert isinstance(value, int | float)
    limit = np.float32(0 if abs(value) <= _STEP else value)
    stopped = _up_to(x, limit)
    if limit == 0 and call.product.arch == PRODUCT_ARCH:
        lanes = dy * np.where(stopped, 0, 1).astype(dy.dtype)
    else:
        lanes = np.where(stopped, np.zeros((), dy.dtype), dy)
    return {"out": round_to(lanes, call.spec.outputs["out"].dtype)}


def _up_to(x: Array, limit: np.float32) -> Array:
    dtype = dtype_of(x)
    if dtype.is_integer:
        return x <= round_to(np.trunc(limit), dtype)
    compared = widen(x) if dtype.name == "bfloat16" else x
    stopped: Array = compared <= round_to(limit, DTYPES["float32"] if dtype.name == "bfloat16" else dtype)
    return stopped
