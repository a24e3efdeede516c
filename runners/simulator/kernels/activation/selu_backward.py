"""SELU backward from the forward result: dy · (result + αλ) where result ≤ 0, else (also for NaN) dy · λ.

Computed in float32 and rounded to nearest even; int8 and int32 are read and delivered through float16.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DTYPES
from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO, dtype_of, round_to
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import VectorUnit

SCALE = np.float32(1.0507009873554805)
SCALE_ALPHA = np.float32(1.7580993408473766)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``result``."""
    unit = call.unit
    dy, result = (_loaded(call.unit, call.inputs[name]) for name in ("gradOutput", "result"))
    gradient = np.where(result <= ZERO, unit.multiply(dy, result + SCALE_ALPHA), unit.multiply(dy, SCALE))
    dtype = call.spec.outputs["gradInput"].dtype
    if dtype.is_integer:
        return {"gradInput": round_to(unit.deliver(gradient, DTYPES["float16"]), dtype)}
    return {"gradInput": unit.deliver(gradient, dtype)}


def _loaded(unit: VectorUnit, values: Array) -> Array:
    return unit.widen(round_to(values, DTYPES["float16"]) if dtype_of(values).is_integer else values)
