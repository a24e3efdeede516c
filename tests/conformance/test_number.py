"""Numbers of case files, rounded as element types hold them."""

from math import copysign, inf, isnan

import pytest

from conformance.dtype import DTYPES
from conformance.number import parse_number, round_to, write_number


@pytest.mark.parametrize(("written", "number"), [(1, 1), (0.5, 0.5), (True, True), ("inf", inf), ("-inf", -inf)])
def test_numbers_and_words(written, number):
    assert parse_number(written) is number or parse_number(written) == number


def test_words_that_compare_to_nothing():
    assert isnan(parse_number("nan"))
    assert copysign(1, parse_number("-0.0")) == -1


@pytest.mark.parametrize("written", ["1", "Infinity", None, [1], {}])
def test_anything_else_is_no_number(written):
    with pytest.raises(ValueError, match="is no number; write a JSON number"):
        parse_number(written)


@pytest.mark.parametrize(
    ("number", "written"),
    [(0.5, 0.5), (inf, "inf"), (-inf, "-inf"), (float("nan"), "nan"), (-0.0, "-0.0"), (0.0, 0.0), (3, 3)],
)
def test_writing_is_strict_json(number, written):
    assert write_number(number) == written
    assert type(write_number(number)) is type(written)


@pytest.mark.parametrize(
    ("dtype", "number", "held"),
    [
        ("float16", 0.1, 0.0999755859375),
        ("float16", 65520, inf),
        ("bfloat16", 1.00390625, 1.0),
        ("float32", 16777217, 16777216.0),
        ("int8", 2.9, 2),
        ("bool", 3, True),
        ("complex64", 0.1, 0.1),
        ("hifloat8", 0.1, 0.1),
    ],
)
def test_rounding_to_an_element_type(dtype, number, held):
    assert round_to(DTYPES[dtype], number) == held
