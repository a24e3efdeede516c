"""Roundings, the error function and the weight's broadcast shape."""

import math

import ml_dtypes
import numpy as np
import pytest

from conformance.dtype import DTYPES
from runners.simulator.arithmetic import along_channels, common_dtype, erf, round_to
from runners.simulator.vector_unit import FLOAT32_UNIT


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        ("float16", 1 + 2**-11, 1.0),
        ("float16", 1 + 3 * 2**-11, 1 + 2**-9),
        ("float16", 65520.0, np.inf),
        ("bfloat16", 1 + 2**-8, 1.0),
        ("bfloat16", 1 + 3 * 2**-8, 1 + 2**-6),
        ("int8", 2.5, 2),
        ("int8", 3.5, 4),
        ("int8", 1e9, 127),
        ("int8", -np.inf, -128),
        ("int32", np.inf, 2**31 - 1),
        ("int32", np.nan, 0),
    ],
)
def test_rounding_is_to_nearest_even_and_integers_saturate(dtype, value, expected):
    with np.errstate(over="ignore"):
        rounded = round_to(np.float32(value), DTYPES[dtype])
    assert rounded.dtype == DTYPES[dtype].numpy
    assert float(rounded) == expected


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
def test_a_product_is_the_exact_one_rounded_once(dtype):
    rng = np.random.default_rng(7)
    left, right = (rng.uniform(-2, 2, 500).astype(dtype) for _ in range(2))
    exact = left.astype(np.float64) * right.astype(np.float64)
    product = FLOAT32_UNIT.multiply(FLOAT32_UNIT.widen(left), FLOAT32_UNIT.widen(right))
    np.testing.assert_array_equal(FLOAT32_UNIT.deliver(product, DTYPES[np.dtype(dtype).name]), exact.astype(dtype))


def test_unequal_floats_meet_in_float32():
    assert common_dtype(DTYPES["float16"], DTYPES["bfloat16"]).name == "float32"
    assert common_dtype(DTYPES["bfloat16"], DTYPES["bfloat16"]).name == "bfloat16"


def test_types_without_a_common_one_are_an_error():
    with pytest.raises(ValueError, match="no common type"):
        common_dtype(DTYPES["float8_e8m0"], DTYPES["float32"])


@pytest.mark.parametrize(
    ("weight", "rank", "shape"),
    [
        ((), 0, ()),
        ((1,), 3, (1, 1, 1)),
        ((5,), 2, (1, 5)),
        ((5,), 4, (1, 5, 1, 1)),
        ((1, 5, 1), 3, (1, 5, 1)),
    ],
)
def test_channels_lie_along_axis_1(weight, rank, shape):
    assert along_channels(np.zeros(weight), rank).shape == shape


def test_the_error_function_is_that_of_the_standard_library():
    values = np.array([[0.5, -2.0], [np.inf, np.nan]], np.float32)
    expected = [[np.float32(math.erf(value)) for value in row] for row in values.tolist()]
    assert erf(values).tobytes() == np.array(expected, np.float32).tobytes()
