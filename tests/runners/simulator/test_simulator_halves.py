"""Halves of a tensor as device code sees them."""

import numpy as np
import pytest

from runners.simulator.halves import half_like, halves_of, whole_of

X = np.arange(24, dtype=np.float32).reshape(2, 4, 3)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -2])
def test_halves_make_the_whole_again(axis, interleaved):
    whole = whole_of(*halves_of(X, axis, interleaved), interleaved)
    assert whole.reshape(-1).tolist() == X.reshape(-1).tolist()


@pytest.mark.parametrize(
    ("shape", "axis", "left"),
    [((2, 3, 2), 1, [[0, 1, 2], [6, 7, 8]]), ((1, 5), -1, [[0, 1]]), ((), -1, [[]])],
)
def test_an_odd_axis_is_halved_by_the_product_behind_it(shape, axis, left):
    assert halves_of(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), axis)[0].tolist() == left


@pytest.mark.parametrize(("count", "read"), [(4, [[0, 1], [2, 3]]), (3, [[0, 1], [2, 0]]), (6, [[0, 1], [2, 3]])])
def test_tensors_of_another_size_are_read_in_order(count, read):
    assert half_like(np.arange(count, dtype=np.float32), np.zeros((2, 2), np.float32)).tolist() == read
