"""Wider arithmetic than float32, and arithmetic that flushes subnormal numbers to zero."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from conformance.dtype import DType, smallest_normal
from conformance.rounding import rounded
from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of, round_to
from runners.simulator.kernel import Kernel, KernelCall
from runners.simulator.vector_unit import Axes, VectorUnit


class Float64Unit(VectorUnit):
    """Float64 lanes; results are rounded once, straight to the tensor's type."""

    def widen(self, values: Array) -> Array:
        """Lanes of float64."""
        return np.asarray(values, dtype=np.float64)

    def deliver(self, lanes: Array, dtype: DType) -> Array:
        """Results as elements, rounded once."""
        return rounded(lanes, dtype) if dtype.is_float else round_to(lanes, dtype)


class FlushingUnit(VectorUnit):
    """Results of arithmetic that would be subnormal are 0, in lanes and in the tensor's type.

    With ``operands`` subnormal operands of arithmetic count as 0 too. Selections pass subnormals on: they compute
    nothing.
    """

    def __init__(self, *, operands: bool) -> None:
        self._operands = operands

    def widen(self, values: Array) -> Array:
        """Lanes of the elements."""
        lanes = super().widen(values)
        return flushed(lanes) if self._operands else lanes

    def deliver(self, lanes: Array, dtype: DType) -> Array:
        """Results as elements, the subnormal ones as 0."""
        elements = super().deliver(lanes, dtype)
        return flushed(elements) if dtype.is_float else elements

    def multiply(self, left: Array, right: Array) -> Array:
        """Product left · right."""
        return flushed(super().multiply(left, right))

    def multiply_add(self, left: Array, right: Array, addend: Array) -> Array:
        """Value of left · right + addend, each flushed."""
        return flushed(self.multiply(left, right) + addend)

    def exp(self, x: Array) -> Array:
        """Power of e."""
        return flushed(super().exp(x))

    def divide(self, numerator: Array, denominator: Array) -> Array:
        """Quotient of numerator and denominator."""
        return flushed(super().divide(numerator, denominator))

    def sum(self, terms: Array, axes: Axes) -> Array:
        """Sum over the axes."""
        return flushed(super().sum(terms, axes))


def flushed(values: Array) -> Array:
    """The values with 0, of the same sign, for subnormal ones of their type."""
    values = np.asarray(values)
    tiny = values.dtype.type(smallest_normal(dtype_of(values)))
    return np.where(np.abs(values) < tiny, np.copysign(np.zeros((), values.dtype), values), values)


def keeping_intermediates_wide(kernel: Kernel) -> Kernel:
    """The kernel with float32 intermediates instead of 16-bit ones, as when operators are fused."""

    def compute(call: KernelCall) -> dict[str, Array]:
        scratch = {name: _wide(region) for name, region in call.scratch.items()}
        return dict(kernel.compute(replace(call, scratch=scratch)))

    return replace(kernel, compute=compute)


def _wide(region: Array) -> Array:
    dtype = dtype_of(region)
    return np.empty(region.shape, np.float32) if dtype.is_float and dtype.bits < 32 else region
