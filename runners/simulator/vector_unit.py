"""The arithmetic that kernels are written in. A subclass is another vector unit that computes the same formulas."""

from __future__ import annotations

import numpy as np

from conformance.dtype import DType
from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, round_to, widen

Axes = int | tuple[int, ...] | None
_WORD = (1 << 64) - 1


class VectorUnit:
    """Float32 lanes, every step rounded to nearest even; comparisons and selections are no arithmetic.

    Lanes are arrays of the type that ``widen`` gives; all methods take and return lanes, ``deliver`` excepted.
    """

    def widen(self, values: Array) -> Array:
        """Lanes of a float tensor's elements."""
        return widen(values)

    def deliver(self, lanes: Array, dtype: DType) -> Array:
        """Results as elements of a tensor."""
        return round_to(lanes, dtype)

    def multiply(self, left: Array, right: Array) -> Array:
        """Product left · right."""
        product: Array = left * right
        return product

    def multiply_add(self, left: Array, right: Array, addend: Array) -> Array:
        """Value of left · right + addend; here in two steps."""
        total: Array = left * right + addend
        return total

    def exp(self, x: Array) -> Array:
        """Power of e."""
        power: Array = np.exp(x)
        return power

    def log(self, x: Array) -> Array:
        """Natural logarithm."""
        logarithm: Array = np.log(x)
        return logarithm

    def log1p(self, x: Array) -> Array:
        """Natural logarithm of 1 + x, exact to a few ULP for small x too."""
        logarithm: Array = np.log1p(x)
        return logarithm

    def divide(self, numerator: Array, denominator: Array) -> Array:
        """Quotient of numerator and denominator."""
        ratio: Array = numerator / denominator
        return ratio

    def logistic(self, x: Array, numerator: Array = ONE) -> Array:
        """Product numerator · σ(x), here as numerator / (1 + exp(-x))."""
        return self.divide(numerator, ONE + self.exp(-x))

    def uniform(self, seed: int, offset: int, count: int) -> Array:
        """Draws from [0, 1), by counter: the seed (mod 2^64) is the key, the offset says where the counter begins."""
        key, counter = np.array([seed & _WORD, 0], np.uint64), np.array([0, offset & _WORD, 0, 0], np.uint64)
        draws: Array = np.random.Generator(np.random.Philox(key=key, counter=counter)).random(count, np.float32)
        return draws

    def sum(self, terms: Array, axes: Axes) -> Array:
        """Sum over the axes (over all for None), which stay with length 1."""
        total: Array = np.sum(terms, axis=axes, keepdims=True, dtype=terms.dtype)
        return total

    def sum_of_products(self, left: Array, right: Array, axes: Axes) -> Array:
        """Sum of left · right over the axes, which stay with length 1."""
        return self.sum(self.multiply(left, right), axes)


FLOAT32_UNIT = VectorUnit()
