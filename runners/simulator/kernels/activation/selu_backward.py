"""SELU backward from the forward result: dy · (result + αλ) where result ≤ 0, else (also for NaN) dy · λ.

Computed in float32 and rounded to nearest even; int8 and int32 are read and delivered through float16.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DTYPES
from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO, dtype_of, round_to, widen
from runners.simulator.kernel import KernelCall

SCALE = np.float32(1.0507009873554805)
SCALE_ALPHA = np.float32(1.7580993408473766)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``result``."""
    dy, result = (_loaded(call.inputs[name]) for name in ("gradOutput", "result"))
    gradient = np.where(result <= ZERO, dy * (result + SCALE_ALPHA), dy * SCALE)
    dtype = call.spec.outputs["gradInput"].dtype
    if dtype.is_integer:
        gradient = round_to(gradient, DTYPES["float16"])
    return {"gradInput": round_to(gradient, dtype)}


def _loaded(values: Array) -> Array:
    return widen(round_to(values, DTYPES["float16"]) if dtype_of(values).is_integer else values)
