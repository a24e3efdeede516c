"""Hard tanh backward: dy where min < x < max or x is NaN, else 0.

float16 and float32 compare natively with limits cast to that dtype, bfloat16 in float32.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DTYPES
from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of, round_to, widen
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradOutput``, ``self``, ``min`` and ``max``."""
    dy, x = call.inputs["gradOutput"], call.inputs["self"]
    dtype = DTYPES["float32"] if dtype_of(x).name == "bfloat16" else dtype_of(x)
    low, high = (round_to(_limit(call, name), dtype) for name in ("min", "max"))
    compared = widen(x) if x.dtype != low.dtype else x
    kept = ((compared > low) & (compared < high)) | np.isnan(compared)
    return {"out": np.where(kept, dy, np.zeros((), dy.dtype))}


def _limit(call: KernelCall, name: str) -> np.float32:
    value = call.scalars[name].value
    assert isinstance(value, int | float)
    limit: np.float32 = np.float32(value)
    return limit
