"""Float32 sums in other orders than numpy's, and with products that are not rounded before they are added."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from conformance.tensor import Array
from runners.simulator.vector_unit import Axes, VectorUnit

CORES = 48
LANES = 64
Rows = Callable[[Array], Array]
"""Terms of shape (rows, n) → their sums, of shape (rows,)."""


class OrderedSums(VectorUnit):
    """Sums in a given order."""

    def __init__(self, order: Rows) -> None:
        self._order = order

    def sum(self, terms: Array, axes: Axes) -> Array:
        """Sum over the axes in that order."""
        rows, shape = as_rows(terms, axes)
        return self._order(rows).reshape(shape)


class FusedMultiplyAdd(VectorUnit):
    """Products that are added go into the sum unrounded: float64 holds them exactly and is rounded once."""

    def multiply_add(self, left: Array, right: Array, addend: Array) -> Array:
        """Value of left · right + addend, rounded once."""
        return _fused(left, right, addend)

    def sum_of_products(self, left: Array, right: Array, axes: Axes) -> Array:
        """Accumulated in vector lanes, then lane by lane."""
        left, right = np.broadcast_arrays(left, right)
        (a, shape), (b, _) = as_rows(left, axes), as_rows(right, axes)
        a, b = _in_lanes(a), _in_lanes(b)
        total = np.zeros(a.shape[::2], np.float32)
        for step in range(a.shape[1]):
            total = _fused(a[:, step], b[:, step], total)
        return sequential(total).reshape(shape)


def sequential(rows: Array) -> Array:
    """One term after another."""
    total: Array = np.add.accumulate(rows, axis=1)[:, -1]
    return total


def pairwise(rows: Array) -> Array:
    """Neighbours first, then neighbouring sums: a binary tree."""
    while rows.shape[1] > 1:
        odd = rows[:, rows.shape[1] & ~1 :]
        rows = np.concatenate([rows[:, : rows.shape[1] & ~1 : 2] + rows[:, 1::2], odd], axis=1)
    return rows[:, 0]


def by_cores(rows: Array) -> Array:
    """One block a core, each from front to back; then the cores' sums, the last first."""
    share = -(-rows.shape[1] // CORES)
    parts = _padded(rows, share * CORES).reshape(-1, share)
    return sequential(sequential(parts).reshape(-1, CORES)[:, ::-1])


def as_rows(terms: Array, axes: Axes) -> tuple[Array, tuple[int, ...]]:
    """Terms with the summed axes folded into one, the last; and the sum's shape with those axes kept as 1."""
    summed = set(range(terms.ndim)) if axes is None else {axis % terms.ndim for axis in np.atleast_1d(axes).tolist()}
    shape = tuple(1 if axis in summed else size for axis, size in enumerate(terms.shape))
    order = [axis for axis in range(terms.ndim) if axis not in summed] + sorted(summed)
    return terms.transpose(order).reshape(prod(shape), -1), shape


def _in_lanes(rows: Array) -> Array:
    """Terms as (rows, steps, lanes)."""
    steps = -(-rows.shape[1] // LANES)
    return _padded(rows, steps * LANES).reshape(len(rows), steps, LANES)


def _padded(rows: Array, length: int) -> Array:
    return np.pad(rows, ((0, 0), (0, length - rows.shape[1])))


def _fused(left: Array, right: Array, addend: Array) -> Array:
    product = np.multiply(left, right, dtype=np.float64)
    return np.asarray(product + addend, dtype=np.float32)
