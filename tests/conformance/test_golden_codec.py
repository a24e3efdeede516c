"""Goldens and benchmarks as bytes, and back."""

import ml_dtypes
import numpy as np
import pytest

from conformance.golden import Following, GoldenOutput
from conformance.golden_codec import decode, encode
from conformance.law import Law, Uniform

VALUE = np.array([[1.5, -0.0, np.nan], [np.inf, 5e-324, 3.0]])
MARKS = np.array([[True, False, True], [False, False, True]])


def beside(**changes):
    """Nine elements and an answer that differs in one."""
    value = np.arange(9.0)
    return value, np.where(value == 4, changes.get("other", -4.0), value)


def same(one, other):
    """Whether two goldens are the same, bit for bit."""
    if one is None or other is None:
        return one is other
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@pytest.mark.parametrize(
    "golden",
    [
        GoldenOutput(VALUE),
        GoldenOutput(VALUE, (VALUE * 2, -VALUE), VALUE**2, 7, (VALUE + 1,)),
        GoldenOutput(VALUE, free=MARKS, law=Law(Uniform(-1.0, 2.5), MARKS, ~MARKS)),
        GoldenOutput(np.array([3, -(2**62)]), (np.array([4, 5]),)),
        GoldenOutput(VALUE + 1j),
        GoldenOutput(MARKS),
        GoldenOutput(np.array(2.5), (np.array(-2.5),)),
        GoldenOutput(beside()[0], (beside()[1],), flushing=(beside(other=-0.0)[1],)),
        GoldenOutput(np.zeros(9), (np.array([0.0] * 8 + [-0.0]),)),
    ],
)
def test_goldens_come_back_bit_for_bit(golden):
    found = decode(encode({"y": golden}, None))[0]["y"]
    for one, other in (
        (golden.value, found.value),
        (golden.terms, found.terms),
        (golden.free, found.free),
        *zip(golden.alternatives, found.alternatives, strict=True),
        *zip(golden.flushing, found.flushing, strict=True),
    ):
        assert same(one, other)
    assert golden.term_count == found.term_count
    assert (golden.law is None) == (found.law is None)
    if golden.law is not None:
        assert golden.law.distribution == found.law.distribution
        assert same(golden.law.drawn, found.law.drawn)
        assert same(golden.law.either, found.law.either)


def test_benchmarks_of_any_type_come_back():
    benchmark = {"y": np.array([1.5, 2], ml_dtypes.bfloat16), "z": np.array([[1]], np.int8)}
    found = decode(encode({"y": GoldenOutput(VALUE)}, benchmark))[1]
    assert all(same(benchmark[name], found[name]) for name in benchmark)


def test_an_answer_that_differs_in_few_places_takes_little_room():
    value = np.arange(1000.0)
    other = value.copy()
    other[7] = np.nan
    assert len(encode({"y": GoldenOutput(value, (other,))}, None)) < 1.1 * len(encode({"y": GoldenOutput(value)}, None))


def test_goldens_that_follow_from_outputs_are_not_encoded():
    assert encode({"y": Following(("x",), lambda written: GoldenOutput(VALUE))}, None) is None


def test_what_is_decoded_cannot_be_written():
    found = decode(encode({"y": GoldenOutput(VALUE)}, None))[0]["y"]
    with pytest.raises(ValueError, match="read-only"):
        found.value[0, 0] = 1
