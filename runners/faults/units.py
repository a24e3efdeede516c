"""Vector units that compute less well than they should."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from conformance.dtype import DTYPES, DType
from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, round_to
from runners.simulator.vector_unit import Axes, VectorUnit

Rounding = Callable[[Array, DType], Array]
"""Float32 lanes and a type → elements of that type."""
SIXTEEN_BITS = ("float16", "bfloat16")


class Coarse(VectorUnit):
    """Every step is rounded by ``coarsen``, as on a unit of fewer digits."""

    def __init__(self, coarsen: Callable[[Array], Array]) -> None:
        self._coarsen = coarsen

    def widen(self, values: Array) -> Array:
        """Elements, coarsened."""
        return self._coarsen(super().widen(values))

    def multiply(self, left: Array, right: Array) -> Array:
        """Left · right, coarsened."""
        return self._coarsen(super().multiply(left, right))

    def multiply_add(self, left: Array, right: Array, addend: Array) -> Array:
        """Left · right + addend, coarsened after each step."""
        return self._coarsen(self.multiply(left, right) + addend)

    def exp(self, x: Array) -> Array:
        """E to the x, coarsened."""
        return self._coarsen(super().exp(x))

    def divide(self, numerator: Array, denominator: Array) -> Array:
        """Numerator / denominator, coarsened."""
        return self._coarsen(super().divide(numerator, self._coarsen(denominator)))

    def sum(self, terms: Array, axes: Axes) -> Array:
        """Sum, coarsened at the end."""
        return self._coarsen(super().sum(terms, axes))


class Delivering(VectorUnit):
    """Results become elements by another rounding."""

    def __init__(self, rounding: Rounding) -> None:
        self._rounding = rounding

    def deliver(self, lanes: Array, dtype: DType) -> Array:
        """Results as elements of a tensor, rounded as given."""
        return self._rounding(lanes, dtype)


class Loading(VectorUnit):
    """Elements become lanes by way of another type."""

    def __init__(self, through: Callable[[Array], Array]) -> None:
        self._through = through

    def widen(self, values: Array) -> Array:
        """Lanes of what is left of the elements."""
        return super().widen(self._through(values))


class Exponential(VectorUnit):
    """Another exponential."""

    def __init__(self, exp: Callable[[Array], Array]) -> None:
        self._exp = exp

    def exp(self, x: Array) -> Array:
        """E to the x, as given."""
        return self._exp(x)


class Dividing(VectorUnit):
    """Another division."""

    def __init__(self, divide: Callable[[Array, Array], Array]) -> None:
        self._divide = divide

    def divide(self, numerator: Array, denominator: Array) -> Array:
        """Numerator / denominator, as given."""
        return self._divide(numerator, denominator)


class Logistic(VectorUnit):
    """Another logistic function."""

    def __init__(self, sigmoid: Callable[[Array], Array]) -> None:
        self._sigmoid = sigmoid

    def logistic(self, x: Array, numerator: Array = ONE) -> Array:
        """Numerator · σ(x), σ as given."""
        return self.multiply(numerator, self._sigmoid(x))


class Summing(VectorUnit):
    """Another way to sum; products are formed first and rounded to float32."""

    def __init__(self, total: Callable[[Array, tuple[int, ...]], Array]) -> None:
        self._total = total

    def sum(self, terms: Array, axes: Axes) -> Array:
        """Sum over the axes, as given: terms and axes counted from the front → totals that keep the axes."""
        given = range(terms.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
        front = tuple(axis % max(terms.ndim, 1) for axis in given) if terms.ndim else ()
        return np.asarray(self._total(terms, front), np.float32)


def to_bits(kept: int) -> Callable[[Array], Array]:
    """Float32 with that many fraction bits kept, rounded to nearest even; NaN and infinities as they are."""
    drop = np.uint32(23 - kept)

    def coarsen(lanes: Array) -> Array:
        values = np.ascontiguousarray(lanes, np.float32)
        bits = values.view(np.uint32)
        odd = (bits >> drop) & np.uint32(1)
        rounded = ((bits + (np.uint32(1) << (drop - np.uint32(1))) - np.uint32(1) + odd) >> drop) << drop
        return np.where(np.isfinite(values), rounded.view(np.float32), values).reshape(np.shape(lanes))

    return coarsen


def through(name: str) -> Callable[[Array], Array]:
    """Lanes rounded to a type and widened again."""
    dtype = DTYPES[name]
    return lambda lanes: np.asarray(round_to(lanes, dtype), np.float32)


def towards_zero(lanes: Array, dtype: DType) -> Array:
    """Elements cut off instead of rounded; 16-bit types only."""
    nearest = round_to(lanes, dtype)
    if dtype.name not in SIXTEEN_BITS:
        return nearest
    bits = nearest.view(np.uint16)
    too_far = np.abs(nearest.astype(np.float32)) > np.abs(lanes)
    return np.where(too_far, bits - np.uint16(1), bits).astype(np.uint16).view(nearest.dtype)


def upwards(lanes: Array, dtype: DType) -> Array:
    """Elements rounded away from zero; 16-bit types only."""
    nearest = round_to(lanes, dtype)
    if dtype.name not in SIXTEEN_BITS:
        return nearest
    bits = nearest.view(np.uint16)
    too_near = np.abs(nearest.astype(np.float32)) < np.abs(lanes)
    return np.where(too_near, bits + np.uint16(1), bits).astype(np.uint16).view(nearest.dtype)


def ties_away(lanes: Array, dtype: DType) -> Array:
    """Elements rounded to nearest with ties away from zero; 16-bit types only."""
    if dtype.name not in SIXTEEN_BITS:
        return round_to(lanes, dtype)
    low, high = towards_zero(lanes, dtype), upwards(lanes, dtype)
    with np.errstate(invalid="ignore"):
        down, up = (np.abs(np.asarray(side, np.float32) - lanes) for side in (low, high))
    return np.where(np.isfinite(lanes) & (down < up), low, high).astype(low.dtype)


def twice(lanes: Array, dtype: DType) -> Array:
    """Elements rounded first to one digit more than the type has, then to the type; 16-bit types only."""
    if dtype.name not in SIXTEEN_BITS:
        return round_to(lanes, dtype)
    return round_to(to_bits(dtype.mantissa + 1)(lanes), dtype)
