"""Casts of float32 lanes into types of few numbers, against the tables of these types."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.rounding import rounded
from runners.simulator.quantise import quantise

HIF8 = DTYPES["hifloat8"]
SIZES = HIF8.codes.sizes
RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "values",
    [
        RANDOM.uniform(-32768, 32768, 5000),
        2.0 ** RANDOM.uniform(-25, 15, 5000),
        SIZES,
        -(SIZES[1:] + SIZES[:-1]) / 2,
        np.nextafter(((SIZES[1:] + SIZES[:-1]) / 2).astype(np.float32), np.float32(0)),
    ],
)
def test_hifloat8_is_rounded_as_its_table_has_it(values):
    lanes = values.astype(np.float32)
    assert np.array_equal(quantise(lanes, HIF8), rounded(lanes.astype(np.float64), HIF8))


@pytest.mark.parametrize(
    ("dtype", "largest"), [("int8", 127), ("float8_e4m3fn", 448), ("float8_e5m2", 57344), ("hifloat8", 32768)]
)
def test_what_lies_beyond_the_largest_number_becomes_it(dtype, largest):
    held = quantise(np.float32([1e9, np.inf]), DTYPES[dtype]).astype(np.float64)
    assert held.tolist() == [largest, largest]


def test_nan_is_kept_and_is_0_in_int8():
    assert np.isnan(quantise(np.float32([np.nan]), HIF8)).all()
    assert quantise(np.float32([np.nan]), DTYPES["int8"]).tolist() == [0]
