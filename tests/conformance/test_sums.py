"""Errors are added up in one order, whoever does it."""

import numpy as np
import pytest

from conformance.sums import COLUMNS, sums

RANDOM = np.random.default_rng(7)


def by_hand(numbers):
    """Sum by columns, one row of them after the other."""
    columns = np.zeros(min(len(numbers), COLUMNS))
    for start in range(0, len(numbers), COLUMNS):
        row = numbers[start : start + COLUMNS]
        columns[: len(row)] += row
    return columns.sum()


@pytest.mark.parametrize("count", [0, 1, 100, COLUMNS - 1, COLUMNS, COLUMNS + 1, 2 * COLUMNS, 10 * COLUMNS + 3])
def test_numbers_are_added_up_by_columns_row_by_row(count):
    numbers = RANDOM.random((2, count))
    assert sums(numbers).tolist() == [by_hand(row) for row in numbers]


def test_zeros_at_the_end_change_nothing_beyond_the_first_row():
    numbers = RANDOM.random(COLUMNS + 100)
    padded = np.append(numbers, np.zeros(300))
    assert sums(numbers[np.newaxis]) == sums(padded[np.newaxis])


@pytest.mark.parametrize("count", [0, 1, 7, 8, 100, 128, 129, 137, 200, 257, COLUMNS])
def test_compiled_sums_of_columns_are_those_of_numpy(count):
    pairwise = pytest.importorskip("conformance.pairwise", reason="numba is not installed").pairwise
    numbers = RANDOM.random(count)
    assert pairwise(numbers) == np.add.reduce(numbers)
