"""Goldens of operators that select or add integers are exact up to the limits of int64."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from conformance.dtype import DTYPES
from runners.reference.add_relu import _leaves, _rectified_whole_sum
from runners.reference.comparing import above, up_to
from runners.reference.convert import odd_float64

LARGEST, SMALLEST = 2**63 - 1, -(2**63)
ODD = 2**53 + 1


@pytest.mark.parametrize(
    ("x", "limit", "larger"),
    [
        (ODD, ODD - 1, True),
        (ODD, ODD, False),
        (ODD, float(2**53), True),
        (16777217, 16777216.0, True),
        (3, 2.5, True),
        (-3, -2.5, False),
        (-2, -2.5, True),
        (LARGEST, float("inf"), False),
        (SMALLEST, float("-inf"), True),
        (LARGEST, 2.0**63, False),
        (SMALLEST, SMALLEST, False),
    ],
)
def test_integers_compare_with_numbers_exactly(x: int, limit: float, larger: bool) -> None:
    elements = torch.tensor([x])
    assert above(elements, limit).tolist() == [larger]
    assert up_to(elements, limit).tolist() == [not larger]


def test_no_integer_compares_with_nan() -> None:
    elements = torch.tensor([0, LARGEST])
    assert not above(elements, float("nan")).any()
    assert not up_to(elements, float("nan")).any()


@pytest.mark.parametrize(
    ("x", "other", "alpha", "beyond"),
    [
        (LARGEST, 0, 1, False),
        (LARGEST, 1, 1, True),
        (LARGEST - 1, 1, 1, False),
        (SMALLEST, -1, 1, True),
        (SMALLEST, 1, 1, False),
        (SMALLEST, LARGEST, 2, False),
        (0, 2**62, 2, True),
        (-1, 2**62, 2, False),
        (0, -(2**62), 2, False),
        (0, 2**62, 4, True),
    ],
)
def test_sums_leave_int64_one_beyond_its_limits(x: int, other: int, alpha: int, beyond: bool) -> None:
    found = _leaves(torch.tensor([x]), torch.tensor([other]), alpha, DTYPES["int64"])
    assert found.tolist() == [beyond]


def test_a_sum_within_int64_is_exact_and_one_that_leaves_it_is_free() -> None:
    x, other = torch.tensor([ODD, -ODD, LARGEST]), torch.tensor([2, 2, 1])
    answer = _rectified_whole_sum(x, other, 1, DTYPES["int64"])
    assert answer.free is not None
    assert answer.free.tolist() == [False, False, True]
    assert answer.value.tolist()[:2] == [ODD + 2, 0]


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "float64"])
def test_integers_become_floats_as_if_rounded_once(name: str) -> None:
    halfway = 2**60 + 2**36  # between two float32 numbers; one more is above the middle, which float64 does not see
    whole = np.array([halfway - 1, halfway, halfway + 1, -halfway - 1, ODD, LARGEST, SMALLEST, 7], np.int64)
    wide = odd_float64(whole, DTYPES[name])
    if name == "float32":
        assert (wide.astype(np.float32) == whole.astype(np.float32)).all()
    if name == "float64":
        assert (wide == whole.astype(np.float64)).all()
    assert (np.sign(wide) == np.sign(whole)).all()
