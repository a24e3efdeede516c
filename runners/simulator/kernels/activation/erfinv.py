"""Inverse error function in float32: x times a polynomial in w = -ln(1 - x²), one to w = 5 and one beyond.

The polynomials are those of Giles (2012) for single precision. A floating-point x is computed in its own type, an
integer one in float32; the result is cast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from conformance.dtype import DTYPES, DType
from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, dtype_of, round_to
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import VectorUnit

_SPLIT, _NEAR, _FAR = (np.float32(value) for value in (5, 2.5, 3))
_CENTRE = (
    *(2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087),
    *(-0.00125372503, -0.00417768164, 0.246640727, 1.50140941),
)
"""In w - 2.5, highest power first."""
_TAIL = (
    *(-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773),
    *(-0.0076224613, 0.00943887047, 1.00167406, 2.83297682),
)
"""In √w - 3, highest power first."""


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    return {"out": inverse(call.unit, call.inputs["self"], call.spec.outputs["out"].dtype)}


def inverse(unit: VectorUnit, x: Array, dtype: DType) -> Array:
    """The function of ``x``, by way of x's type where that is a floating-point one."""
    lanes = unit.widen(x)
    w = -unit.log(unit.multiply(ONE - lanes, ONE + lanes))
    factor = np.where(w < _SPLIT, _series(unit, _CENTRE, w - _NEAR), _series(unit, _TAIL, np.sqrt(w) - _FAR))
    result = np.where(np.abs(lanes) == ONE, lanes / np.float32(0), unit.multiply(factor, lanes))
    own = dtype_of(x) if dtype_of(x).is_float else DTYPES["float32"]
    return round_to(unit.deliver(result, own), dtype)


def _series(unit: VectorUnit, coefficients: Sequence[float], x: Array) -> Array:
    total = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = unit.multiply_add(total, x, np.float32(coefficient))
    return total
