"""Rounding by a stated rule: ties, both neighbours near them, and what lies beyond the largest number."""

import numpy as np
import pytest
import torch

from conformance.dtype import DTYPES
from runners.reference.quantise import RoundMode, largest_number, quantised

INF, NAN = np.inf, np.nan


def admissible(value, dtype, mode="rint", slack=0.0):
    """The golden first, then every other admissible number."""
    answer = quantised((torch.tensor([value]),), torch.tensor([slack]), DTYPES[dtype], RoundMode(mode))
    return [float(one[0]) for one in (answer.value, *answer.alternatives)]


@pytest.mark.parametrize(
    ("dtype", "mode", "value", "expected"),
    [
        ("int8", "rint", 2.5, 2),
        ("int8", "rint", -3.5, -4),
        ("int8", "rint", 127.5, 127),
        ("int8", "rint", -1000.0, -128),
        ("int8", "rint", NAN, 0),
        ("float8_e4m3fn", "rint", 1.0625, 1),
        ("float8_e4m3fn", "rint", 1.1875, 1.25),
        ("float8_e5m2", "rint", -1.375, -1.5),
        ("hifloat8", "round", 1.0625, 1.125),
        ("hifloat8", "round", -18.0, -20),
        ("hifloat8", "round", 1e9, 32768),
        ("hifloat8", "round", NAN, NAN),
        ("float4_e2m1", "rint", 2.5, 2),
    ],
)
def test_one_number_of_the_type(dtype, mode, value, expected):
    assert np.array_equal(admissible(value, dtype, mode)[0], expected, equal_nan=True)


@pytest.mark.parametrize(
    ("dtype", "mode", "value", "slack", "expected"),
    [
        ("int8", "rint", 2.4999, 0.001, {2, 3}),
        ("int8", "rint", 2.49, 0.001, {2}),
        ("int8", "rint", 0.4, 2.0, {-2, -1, 0, 1, 2}),
        ("hifloat8", "hybrid", 1.01, 0.0, {1, 1.125}),
        ("hifloat8", "hybrid", 1.0, 0.0, {1}),
        ("float8_e5m2", "rint", 1e6, 0.0, {57344, INF}),
        ("float8_e5m2", "rint", 60000.0, 0.0, {57344}),
        ("hifloat8", "round", -50000.0, 0.0, {-32768, -INF}),
    ],
)
def test_every_admissible_number(dtype, mode, value, slack, expected):
    assert set(admissible(value, dtype, mode, slack)) == expected


def test_beyond_the_largest_number_a_type_without_infinity_has_nan():
    values = admissible(1e6, "float8_e4m3fn")
    assert values[0] == largest_number(DTYPES["float8_e4m3fn"]) == 448
    assert any(np.isnan(values))
