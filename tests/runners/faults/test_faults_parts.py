"""The parts that faults are made of do what they say, and the sound parts agree with the simulator."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.tensor import Memory, Tensor
from runners.faults.formulas import channel_of, stays
from runners.faults.smoke import cover
from runners.faults.units import ties_away, to_bits, towards_zero, twice, upwards
from runners.faults.views import dense_at_offset, dense_at_zero, is_strided, reread, strided_at_zero

HALF = DTYPES["float16"]
STEP = 2.0**-10


@pytest.mark.parametrize(
    ("rounding", "results"),
    [
        # 1 and a quarter, a half, just above a half, and three quarters of a step; one and a half steps
        (towards_zero, [0, 0, 0, 0, 1]),
        (upwards, [1, 1, 1, 1, 2]),
        (ties_away, [0, 1, 1, 1, 2]),
        (twice, [0, 0, 0, 1, 2]),
    ],
)
def test_roundings_of_float32_lanes(rounding, results):
    lanes = np.array([0.25, 0.5, 0.5 + STEP, 0.75, 1.5]) * STEP + 1
    for sign in (1, -1):
        rounded = rounding((sign * lanes).astype(np.float32), HALF)
        assert rounded.dtype == np.float16
        assert list((np.abs(rounded.astype(np.float64)) - 1) / STEP) == results


def test_roundings_leave_special_values_and_wider_types_alone():
    special = np.array([np.nan, np.inf, -np.inf, 0.0], np.float32)
    for rounding in (towards_zero, upwards, ties_away, twice):
        np.testing.assert_array_equal(rounding(special, HALF), special.astype(np.float16))
        assert rounding(special, DTYPES["float32"]).dtype == np.float32


def test_fewer_bits_are_rounded_to_nearest_even():
    lanes = np.array([1 + 2.0**-11, 1 + 3 * 2.0**-11, np.nan, np.inf], np.float32)
    np.testing.assert_array_equal(to_bits(10)(lanes), np.array([1, 1 + 2.0**-9, np.nan, np.inf], np.float32))


def a_view():
    """Elements 10, 12, 14 of a storage 0 … 15, as a tensor of offset 10 and stride 2."""
    memory = Memory(64)
    memory.payload.view(np.float32)[:] = np.arange(16)
    return Tensor(DTYPES["float32"], (3,), (2,), 10, (16,), None, memory)


@pytest.mark.parametrize(
    ("place", "values"), [(dense_at_offset, [10, 11, 12]), (strided_at_zero, [0, 2, 4]), (dense_at_zero, [0, 1, 2])]
)
def test_a_tensor_is_read_from_another_place(place, values):
    tensor = a_view()
    copy = reread(tensor, *place(tensor))
    assert copy.array().tolist() == values
    assert copy.is_contiguous
    assert is_strided(tensor)


def test_what_lies_outside_of_the_memory_is_rubbish():
    tensor = a_view()
    values = reread(tensor, (4,), 12).array()
    assert values[0] == 12
    assert (values[1:].view(np.uint8) == 0xC3).all()


def test_the_sound_predicate_and_channel():
    assert stays(np.array([1, 0.5, -0.5, np.nan], np.float32), np.float32(0.5)).tolist() == [True, False, False, True]
    assert channel_of((2, 3), 3).tolist() == [[0, 1, 2]] * 2
    assert not channel_of((2, 3), 1).any()


def test_few_keys_cover_all_that_is_wanted():
    by_case = {"1": {"a", "b"}, "2": {"b", "c"}, "3": {"c"}}
    assert cover(dict(by_case), set("abc")) == {"1", "2"}
    assert cover(dict(by_case), {"d"}) == set()
