"""Softmax in rows, as the softmax kernels share it: differences to the largest element, powers, their sum."""

from __future__ import annotations

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of
from runners.simulator.vector_unit import FLOAT32_UNIT, VectorUnit


def lanes(unit: VectorUnit, values: Array) -> tuple[VectorUnit, Array]:
    """The elements in the type they are computed in, rank 0 as one row, and the unit that computes in it.

    The AI CPU computes float64 in itself.
    """
    values = np.atleast_1d(values)
    return (FLOAT32_UNIT, values) if dtype_of(values).name == "float64" else (unit, unit.widen(values))


def softmax(unit: VectorUnit, x: Array, axis: int) -> Array:
    """Powers of the differences over their sum."""
    powers = unit.exp(_below_largest(x, axis))
    return unit.divide(powers, unit.sum(powers, axis))


def log_softmax(unit: VectorUnit, x: Array, axis: int) -> Array:
    """Differences less the logarithm of the sum of their powers."""
    below = _below_largest(x, axis)
    difference: Array = below - unit.log(unit.sum(unit.exp(below), axis))
    return difference


def _below_largest(x: Array, axis: int) -> Array:
    difference: Array = x - np.max(x, axis, keepdims=True)
    return difference
