"""SELU: λ·x above 0, else λ·α·(exp(x) - 1), in float32, rounded to nearest even.

int32 goes through float32 and is cut off; int8 is computed in float16 and cut off, and what exceeds 127 wraps around.
A result of another type than x's is cast.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DTYPES, DType
from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO, dtype_of, round_to
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import VectorUnit

_SCALE, _SCALE_OF_INT8, _ALPHA = (
    np.asarray(value, np.float32) for value in (1.0507009873554805, 1.05078125, 1.6732632423543772)
)
_HALF = DTYPES["float16"]


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    return {"out": selu(call.unit, call.inputs["self"], call.spec.outputs["out"].dtype)}


def selu(unit: VectorUnit, x: Array, dtype: DType) -> Array:
    """SELU of ``x`` in x's type, cast to ``dtype``."""
    own = dtype_of(x)
    if own.name == "int8":
        lanes = unit.widen(unit.deliver(_unit_of(unit, unit.widen(x), _SCALE_OF_INT8), _HALF))
        return round_to(np.trunc(lanes).astype(np.int16).astype(np.int8), dtype)
    lanes = _unit_of(unit, unit.widen(x), _SCALE)
    return round_to(unit.deliver(np.trunc(lanes) if own.is_integer else lanes, own), dtype)


def _unit_of(unit: VectorUnit, x: Array, scale: Array) -> Array:
    below = unit.multiply(_ALPHA, unit.exp(np.minimum(x, ZERO)) - ONE)
    return unit.multiply(scale, np.where(x > ZERO, x, below))
