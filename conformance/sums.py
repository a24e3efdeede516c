"""The order in which errors are added up, so that no figure says who did it: numpy here, compiled loops, threads."""

from __future__ import annotations

import numpy as np

from conformance.tensor import Array

COLUMNS = 512
"""Numbers are added up in so many columns, row by row, and columns by halves as numpy does."""


def sums(numbers: Array) -> Array:
    """Sum of each row of a two-dimensional array."""
    count = numbers.shape[1]
    if count <= COLUMNS:
        return _by_halves(numbers)
    whole = count - count % COLUMNS
    columns: Array = np.add.reduce(numbers[:, :whole].reshape(len(numbers), -1, COLUMNS), axis=1)
    columns[:, : count - whole] += numbers[:, whole:]
    return _by_halves(columns)


def _by_halves(numbers: Array) -> Array:
    total: Array = np.add.reduce(numbers, axis=1)
    return total
