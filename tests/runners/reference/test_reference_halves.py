"""Splitting tensors in two, and what float32 makes of intermediate results."""

import pytest
import torch

from runners.reference.arguments import Answer
from runners.reference.halves import along, beside, joined, parted, rows_of
from runners.reference.narrow import narrowed, products

X = torch.arange(24, dtype=torch.float64).reshape(2, 4, 3)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("dim", [0, 1, -2])
def test_parts_make_the_rows_again(dim, interleaved):
    rows = rows_of(X, dim)
    assert torch.equal(joined(*parted(rows, interleaved), interleaved), rows)


def test_halves_of_counted_axes_are_those_along_the_axis():
    left, right = parted(rows_of(X, 1), False)
    assert torch.equal(left.reshape(2, 2, 3), X[:, :2])
    assert torch.equal(right.reshape(2, 2, 3), X[:, 2:])
    assert [tuple(half.shape) for half in along(X, 1, False)] == [(2, 2, 3)] * 2


def test_every_second_along_the_last_axis_is_every_second_of_a_row():
    last = X.transpose(1, 2)
    assert all(map(torch.equal, along(last, -1, True), (p.reshape(2, 3, 2) for p in parted(rows_of(last, -1), True))))


def test_every_second_along_an_inner_axis_is_another_reading():
    assert torch.equal(along(X, 1, True)[0], X[:, 0::2])
    assert not torch.equal(parted(rows_of(X, 1), True)[0].reshape(2, 2, 3), X[:, 0::2])


def test_answers_beside_each_other_pair_their_alternatives():
    one, two = torch.ones(2), torch.full((2,), 2.0)
    both = beside(Answer(one, (two,), terms=one), Answer(two, terms=two), 0)
    assert [v.tolist() for v in (both.value, *both.alternatives, both.terms)] == [
        [1, 1, 2, 2],
        [2, 2, 2, 2],
        [1, 1, 2, 2],
    ]


def test_narrowed_results_leave_the_range_of_float32():
    given = torch.tensor([1e39, -1e39, 1e-39, 3e38, -1e-37], dtype=torch.float64)
    assert narrowed(given).tolist() == [torch.inf, -torch.inf, 0, 3e38, -1e-37]
    assert narrowed(torch.tensor([torch.nan, torch.inf])).isfinite().sum() == 0


def test_a_product_may_overflow_on_its_way():
    ways = products(*(torch.tensor([x], dtype=torch.float64) for x in (1e30, 1e30, 1e-30)))
    assert [way.item() for way in ways] == [torch.inf, 1e30, 1e30]
