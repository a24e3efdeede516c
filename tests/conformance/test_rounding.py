"""Correct rounding into every floating-point type, against exact rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.rounding import float_format, rounded

NARROW = ["float16", "bfloat16", "float8_e5m2", "float8_e4m3fn"]


def every_positive(name):
    """All finite numbers ≥ 0 of a type, ascending, as float64."""
    form = float_format(DTYPES[name])
    return np.arange(form.largest + 1).astype(form.bits).view(form.numpy).astype(np.float64)


@pytest.mark.parametrize("name", NARROW)
def test_every_number_of_a_type_stays_itself(name):
    numbers = every_positive(name)
    assert np.array_equal(rounded(numbers, DTYPES[name]).astype(np.float64), numbers)


@pytest.mark.parametrize("name", NARROW)
def test_the_middle_between_neighbours_goes_to_the_even_one_and_a_touch_off_to_the_nearer(name):
    numbers = every_positive(name)
    low, high, middle = numbers[:-1], numbers[1:], (numbers[:-1] + numbers[1:]) / 2
    even = np.where(np.arange(len(low)) % 2 == 0, low, high)
    for touch, expected in ((0.0, even), (-1.0, low), (1.0, high)):
        values = middle if touch == 0 else np.nextafter(middle, touch * np.inf)
        assert np.array_equal(rounded(values, DTYPES[name]).astype(np.float64), expected)
        assert np.array_equal(rounded(-values, DTYPES[name]).astype(np.float64), -expected)


def test_bfloat16_is_not_rounded_twice_on_its_way_through_float32():
    just_over_half = np.array([1 + 2.0**-8 + 2.0**-40])
    assert Fraction(float(rounded(just_over_half, DTYPES["bfloat16"])[0])) == 1 + Fraction(1, 128)


@pytest.mark.parametrize(("name", "beyond"), [("float16", np.inf), ("bfloat16", np.inf), ("float8_e4m3fn", np.nan)])
def test_overflow_gives_infinity_or_nan_where_there_is_none(name, beyond):
    with np.errstate(all="ignore"):
        got = rounded(np.array([1e300, np.inf, np.nan]), DTYPES[name]).astype(np.float64)
    assert np.array_equal(got, [beyond, beyond, np.nan], equal_nan=True)


@pytest.mark.parametrize("name", ["float32", "float64", *NARROW])
def test_ulp_is_the_step_to_the_next_number(name):
    form = float_format(DTYPES[name])
    bits = np.array([0, 1, 2, form.largest // 2, form.largest - 1]).astype(form.bits)
    here, above = (b.view(form.numpy).astype(np.float64) for b in (bits, bits + form.bits.type(1)))
    assert np.array_equal(form.ulp(here), above - here)


def test_types_that_are_not_floating_point_have_no_format():
    with pytest.raises(ValueError, match="int32"):
        float_format(DTYPES["int32"])
