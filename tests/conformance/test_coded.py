"""Element types that are stored as codes: their numbers, rounding into them, their memory and their measuring."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.measure import measure
from conformance.rounding import float_format, rounded
from conformance.tensor import Format, Memory, Tensor, new_tensor
from conformance.values import ladder

CODED = [name for name, dtype in DTYPES.items() if dtype.codes is not None]
INF, NAN = np.inf, np.nan


def numbers(name):
    return DTYPES[name].codes.numbers


@pytest.mark.parametrize(
    ("name", "code", "number"),
    [
        ("hifloat8", 0x00, 0.0),
        ("hifloat8", 0x01, 2.0**-22),
        ("hifloat8", 0x07, 2.0**-16),
        ("hifloat8", 0x08, 1.0),
        ("hifloat8", 0x0F, 1.875),
        ("hifloat8", 0x10, 2.0),
        ("hifloat8", 0x18, 0.5),
        ("hifloat8", 0x20, 4.0),
        ("hifloat8", 0x2F, 15.0),
        ("hifloat8", 0x30, 0.25),
        ("hifloat8", 0x40, 16.0),
        ("hifloat8", 0x5F, 1.75 * 2.0**-7),
        ("hifloat8", 0x60, 256.0),
        ("hifloat8", 0x6E, 32768.0),
        ("hifloat8", 0x6F, INF),
        ("hifloat8", 0x7E, 2.0**-15),
        ("hifloat8", 0x80, NAN),
        ("hifloat8", 0x88, -1.0),
        ("hifloat8", 0xEF, -INF),
        ("float8_e8m0", 0x00, 2.0**-127),
        ("float8_e8m0", 0x7F, 1.0),
        ("float8_e8m0", 0xFE, 2.0**127),
        ("float8_e8m0", 0xFF, NAN),
        ("float4_e2m1", 0x1, 0.5),
        ("float4_e2m1", 0x7, 6.0),
        ("float4_e2m1", 0x8, -0.0),
        ("float4_e1m2", 0x1, 0.25),
        ("float4_e1m2", 0xF, -1.75),
    ],
)
def test_the_number_of_a_code(name, code, number):
    assert np.array_equal(numbers(name)[code], np.float32(number), equal_nan=True)
    assert DTYPES[name].codes.encode(np.float32(number)) == code


@pytest.mark.parametrize("name", CODED)
def test_every_number_has_its_code_and_stays_itself(name):
    table = DTYPES[name].codes
    assert table.encode(table.numbers).tolist() == list(range(1 << DTYPES[name].bits))
    assert np.array_equal(rounded(table.numbers.astype(np.float64), DTYPES[name]), table.numbers, equal_nan=True)
    with pytest.raises(ValueError, match="is no number of the type"):
        table.encode(np.array([1.01]))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("hifloat8", 1.0625, 1.125),  # halfway: away from zero
        ("hifloat8", -1.0625, -1.125),
        ("hifloat8", 1.0624, 1.0),
        ("hifloat8", 17.99, 16.0),
        ("hifloat8", 18.0, 20.0),
        ("hifloat8", 2.0**-23, 2.0**-22),
        ("hifloat8", 2.0**-24, 0.0),
        ("hifloat8", 1.2499 * 2.0**15, 2.0**15),
        ("hifloat8", 1.25 * 2.0**15, INF),
        ("hifloat8", NAN, NAN),
        ("float4_e2m1", 2.5, 2.0),  # halfway: the even code
        ("float4_e2m1", 5.0, 4.0),
        ("float4_e2m1", -7.0, -6.0),
        ("float4_e2m1", INF, 6.0),
        ("float4_e1m2", 0.125, 0.0),
        ("float4_e1m2", 0.375, 0.5),
        ("float8_e8m0", 1.4, 1.0),
        ("float8_e8m0", 1.6, 2.0),
    ],
)
def test_rounding(name, value, expected):
    assert np.array_equal(rounded(np.array([value]), DTYPES[name]), np.float32([expected]), equal_nan=True)


@pytest.mark.parametrize(
    ("name", "size", "step"), [("hifloat8", 1.0, 0.125), ("hifloat8", 16.0, 4.0), ("float4_e2m1", 3.0, 1.0)]
)
def test_the_step_at_a_number(name, size, step):
    assert float_format(DTYPES[name]).ulp(np.array([size])).tolist() == [step]


def test_codes_lie_in_strided_memory():
    memory = Memory(6, 0)
    tensor = Tensor(DTYPES["hifloat8"], (3,), (2,), 0, (6,), Format.ND, memory)
    tensor.store(np.float32([1, -2, NAN]))
    assert memory.payload.tolist() == [0x08, 0, 0x90, 0, 0x80, 0]
    assert np.array_equal(tensor.array(), np.float32([1, -2, NAN]), equal_nan=True)


def test_two_codes_of_four_bits_share_a_byte():
    tensor = Tensor(DTYPES["float4_e2m1"], (3,), (1,), 0, (3,), Format.ND, Memory(2, 0xA5))
    tensor.store(np.float32([0.5, -6, 1]))
    assert tensor.memory.payload.tolist() == [0xF1, 0xA2]
    assert tensor.array().tolist() == [0.5, -6, 1]
    apart = Tensor(DTYPES["float4_e2m1"], (3,), (2,), 0, (6,), Format.ND, Memory(3))
    with pytest.raises(ValueError, match="can only lie densely"):
        apart.array()


def test_numbers_beside_a_threshold():
    assert ladder(DTYPES["hifloat8"], 1.0, 1) == [0.9375, 1.0, 1.125]


@pytest.mark.parametrize("name", CODED)
def test_an_output_is_measured_in_steps_of_its_type(name):
    dtype = DTYPES[name]
    sizes = dtype.codes.sizes
    metrics = measure(GoldenOutput(sizes[:-1]), sizes[:-1].astype(np.float32), dtype)
    assert (metrics.bit_different, metrics.max_ulp) == (0, 0)
    metrics = measure(GoldenOutput(sizes[1:-1]), sizes[2:].astype(np.float32), dtype)
    assert (metrics.bit_different, metrics.max_ulp) == (len(sizes) - 2, 1)


def test_infinity_and_nan_of_hifloat8_are_matched_by_class():
    output = new_tensor(DTYPES["hifloat8"], (3,))
    output.store(np.float32([INF, NAN, 1]))
    assert measure(GoldenOutput(np.array([INF, NAN, 1])), output.array(), output.dtype).class_mismatches == 0
    assert measure(GoldenOutput(np.array([-INF, 1, NAN])), output.array(), output.dtype).class_mismatches == 3
