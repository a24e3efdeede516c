"""Every pattern is told from the others, on outputs made to show it."""

import ml_dtypes
import numpy as np
import pytest

from conformance.diagnose import diagnose
from conformance.dtype import DTYPES
from conformance.evidence import Evidence
from conformance.golden import GoldenOutput
from conformance.patterns import Finding, Pattern
from conformance.wrong import MOST_KEPT

P = Pattern
F32 = DTYPES["float32"]
SHAPE = (16, 25)
GOLDEN = np.random.default_rng(0).uniform(1, 2, SHAPE)
RIGHT = GOLDEN.astype(np.float32)


def seen(output, golden=GOLDEN, dtype="float32", **rest):
    output = np.ascontiguousarray(output, DTYPES[dtype].numpy)
    return diagnose(Evidence(GoldenOutput(np.asarray(golden)), output, DTYPES[dtype], **rest))


def at(where, value):
    """The right output with elements, by flat index, replaced."""
    output = RIGHT.copy()
    output.reshape(-1)[where] = value
    return output


def pattern_bytes():
    return np.frombuffer(b"\xa5" * 4, np.float32)[0]


def random_places(count):
    return np.random.default_rng(1).choice(RIGHT.size, count, replace=False)


PLACES = [
    (at(-1, 9), P.LAST_ELEMENT, "1 of 400 elements wrong, only the last element"),
    (at(30, 9), P.ONE_ELEMENT, "only element [1, 5]"),
    (at(slice(384, None), 9), P.TAIL, "only the 16 elements of the tail beyond the last multiple of 32 elements"),
    (at(slice(24, None, 25), 9), P.SLICE, "only index 24 of 25 along axis 1, the last"),
    (at(slice(0, 50), 9), P.SLICE, "only indices 0 to 1 of 16 along axis 0, the first"),
    (at(slice(33, 44), 9), P.BLOCK, "only a block of 11 elements, from 33 to 43"),
    (at(slice(390, None), 9), P.BLOCK, "only the last 10 elements, from 390 to 399"),
    (at(slice(3, None, 8), 9), P.LANES, "only every 8th element, from 3 on"),
    (at(np.arange(400) % 16 >= 12, 9), P.LANES, "only lanes 12 to 15 of every 16 elements"),
    (at(random_places(5), 9), P.SCATTERED, "5 of 400 elements wrong, scattered, one in 80"),
    (at(random_places(100), 9), P.SCATTERED, "scattered, one in 4"),
    (RIGHT + random_places(400).reshape(SHAPE) + 1, P.EVERYWHERE, "400 of 400 elements wrong"),
]
CONTENTS = [
    (at(slice(None), pattern_bytes()), P.UNWRITTEN, "400 of 400 elements wrong: never written"),
    (at(slice(None), 0), P.ZERO, "they are zero"),
    (at(slice(None), np.nan), P.NAN, "they are NaN"),
    (at(slice(None), np.inf), P.INFINITE, "they are infinite"),
    (-RIGHT, P.SIGN, "the sign is flipped"),
    (RIGHT * np.float32(1.25), P.FACTOR, "each is 1.25 times the expected number"),
    (np.nextafter(RIGHT, np.float32(0)), P.ONE_ULP, "off by one ULP, towards zero as if truncated"),
    (np.nextafter(RIGHT, np.float32(9)), P.ONE_ULP, "off by one ULP, away from zero"),
    ((RIGHT.view(np.int32) + 3).view(np.float32), P.FEW_ULPS, "off by up to 3 ULP"),
    (GOLDEN.astype(ml_dtypes.bfloat16), P.LOW_PRECISION, "they are bfloat16 numbers, as if computed in it"),
    (GOLDEN.astype(np.float16), P.LOW_PRECISION, "they are float16 numbers, as if computed in it"),
    (RIGHT.T.reshape(SHAPE), P.PERMUTED, "as if transposed"),
    (np.roll(RIGHT.reshape(-1), 3).reshape(SHAPE), P.SHIFTED, "each holds the result from 3 elements earlier"),
    (np.roll(RIGHT.reshape(-1), -1).reshape(SHAPE), P.SHIFTED, "each holds the result from 1 element later"),
    (at(slice(384, None), pattern_bytes()), P.TAIL, "beyond the last multiple of 32 elements: never written"),
]


@pytest.mark.parametrize(("output", "pattern", "text"), PLACES + CONTENTS, ids=lambda value: getattr(value, "name", ""))
def test_a_pattern_is_recognised(output, pattern, text):
    diagnosis = seen(output)
    assert diagnosis.pattern is pattern
    assert text in diagnosis.text


@pytest.mark.parametrize("order", [(4, 3, 2, 1, 0), (0, 4, 2, 3, 1), (0, 2, 3, 4, 1), (0, 4, 1, 2, 3)])
def test_axes_out_of_order_in_higher_ranks(order):
    golden = np.random.default_rng(8).uniform(1, 2, (2, 3, 2, 3, 2))
    diagnosis = seen(golden.transpose(order).reshape(golden.shape), golden)
    assert diagnosis.text.endswith(f"as if in the order of axes {list(order)}")


def test_nothing_wrong_is_no_diagnosis():
    assert seen(RIGHT) is None


@pytest.mark.parametrize(
    ("values", "number", "pattern", "text"),
    [
        ([1, np.nan, 2, 3, np.nan, 5], 7, P.NAN_INPUT, "only where x is NaN"),
        ([1, np.inf, 2, 3, -np.inf, 5], 7, P.INFINITE_INPUT, "only where x is infinite"),
        ([1, 0, 2, 3, -0.0, 5], 7, P.ZERO_INPUT, "only where x is zero"),
        ([1, 1e-40, 2, 3, -1e-41, 5], 7, P.SUBNORMAL_INPUT, "only where x is subnormal"),
        ([1, 0.5, 2, 3, -0.5, 5], 7, P.THRESHOLD_INPUT, "only where x is at ±lambd (0.5)"),
    ],
)
def test_wrong_only_under_special_inputs(values, number, pattern, text):
    output = np.arange(1, 7, dtype=np.float32)
    output[[1, 4]] += number
    inputs = {"x": np.array(values, np.float32)}
    diagnosis = seen(output, np.arange(1.0, 7.0), inputs=inputs, thresholds={"lambd": 0.5})
    assert diagnosis.pattern is pattern
    assert text in diagnosis.text


def test_wrong_only_under_one_sign_of_an_input():
    x = np.random.default_rng(2).uniform(-1, 1, SHAPE).astype(np.float32)
    diagnosis = seen(np.where(x < 0, RIGHT * 2, RIGHT), inputs={"x": x})
    assert diagnosis.pattern is P.NEGATIVE_INPUT
    assert diagnosis.text.endswith("only where x is negative: each is 2 times the expected number")


def test_a_special_value_of_either_input_counts():
    x, y = np.arange(1, 9, dtype=np.float32), np.arange(1, 9, dtype=np.float32)
    x[2] = y[5] = np.nan
    output = np.array([1, 2, 0, 4, 5, 0, 7, 8])
    diagnosis = seen(output, np.where(output == 0, np.nan, output), inputs={"x": x, "y": y})
    assert diagnosis.text == "2 of 8 elements wrong, only where an input is NaN: they should be NaN and are zero"


@pytest.mark.parametrize(
    ("golden", "pattern"), [([np.nan, np.nan, 3, 4], P.NAN_LOST), ([np.inf, -np.inf, 3, 4], P.INFINITY_LOST)]
)
def test_a_class_that_is_lost(golden, pattern):
    output = np.array([5, 6, 3, 4], np.float32)
    assert ("should be NaN" in seen(output, golden).text) is (pattern is P.NAN_LOST)
    assert ("should be infinite" in seen(output, golden).text) is (pattern is P.INFINITY_LOST)


def test_a_copied_input_is_named():
    x = np.random.default_rng(3).uniform(1, 2, SHAPE).astype(np.float32)
    assert seen(x, inputs={"x": x}).pattern is P.COPIED
    assert "they are copies of x" in seen(x, inputs={"x": x}).text


def test_integers_that_float64_rounds_are_no_copies():
    x = 2**53 + 1 + 2 * np.arange(32)
    rounded = x.astype(np.float64).astype(np.int64)
    assert "copies" not in seen(rounded, golden=x, dtype="int64", inputs={"x": x}).text


def test_an_output_written_without_its_strides():
    dense = np.random.default_rng(4).uniform(1, 2, (4, 6))
    output = dense.reshape(-1)[np.arange(24).reshape(6, 4).T]
    diagnosis = seen(output, dense, strides=(1, 4))
    assert diagnosis.pattern is P.OUTPUT_LAYOUT_IGNORED
    assert diagnosis.text.endswith("as if written without the output's strides")


@pytest.mark.parametrize(
    ("strides", "offset", "start", "step", "words"),
    [
        ((2,), 4, 0, 2, "the output's offset"),
        ((2,), 1, 1, 1, "the output's strides"),
        ((2,), 1, 0, 1, "the output's strides and offset"),
        ((1,), 2, 0, 1, "the output's offset"),
    ],
)
def test_an_output_written_elsewhere_in_its_storage(strides, offset, start, step, words):
    golden = np.random.default_rng(5).uniform(1, 2, 50).astype(np.float32)
    storage = np.full(128, pattern_bytes())
    storage[start : start + 50 * step : step] = golden
    output = storage[offset : offset + 50 * strides[0] : strides[0]]
    diagnosis = seen(output, golden.astype(np.float64), strides=strides, offset=offset)
    assert diagnosis.text.endswith(f"as if written without {words}")


def test_a_reading_may_come_with_an_output_written_densely():
    golden, other = (np.random.default_rng(seed).uniform(1, 2, (4, 6)) for seed in (6, 7))
    output = other.reshape(-1)[np.arange(24).reshape(6, 4).T].astype(np.float32)
    reading = (Finding(P.INPUT_STRIDES_IGNORED, "as if x were read without its strides"), GoldenOutput(other))
    evidence = Evidence(GoldenOutput(golden), output, F32, strides=(1, 4))
    words = "as if x were read without its strides, and written without the output's strides"
    assert diagnose(evidence, [reading]).text.endswith(words)


def test_flushed_subnormals_are_wrong_where_nothing_else_is():
    assert seen([0, 2], [1e-40, 2]).pattern is P.FLUSHED
    assert seen([0, 3], [1e-40, 2]).pattern is P.LAST_ELEMENT


def test_a_reading_that_predicts_the_output_explains_it():
    finding = Finding(P.INPUT_STRIDES_IGNORED, "as if x were read without its strides")
    evidence = Evidence(GoldenOutput(GOLDEN), RIGHT[::-1].copy(), F32)
    other = (Finding(P.INPUT_OFFSET_IGNORED, "no"), GoldenOutput(GOLDEN * 3))
    diagnosis = diagnose(evidence, [other, (finding, GoldenOutput(GOLDEN[::-1].copy()))])
    assert diagnosis.pattern is P.INPUT_STRIDES_IGNORED
    assert diagnosis.text == "400 of 400 elements wrong: as if x were read without its strides"


def test_rounding_differences_do_not_hide_what_is_far_off_unless_every_bit_counts():
    output = np.nextafter(RIGHT, np.float32(0))
    output[-1, -1] = 9
    assert seen(output).pattern is P.LAST_ELEMENT
    assert "400 of 400" in seen(output, exact=True).text


def test_sums_are_measured_in_the_rounding_of_their_terms():
    output = RIGHT + np.float32(1e-4)
    output[0, 0] = 9
    golden = GoldenOutput(GOLDEN, terms=np.full(SHAPE, 1e3), term_count=9)
    assert "only element [0, 0]" in diagnose(Evidence(golden, output, F32)).text


def test_the_nearest_admissible_answer_counts():
    golden = GoldenOutput(GOLDEN, alternatives=(GOLDEN + 1,))
    assert diagnose(Evidence(golden, (GOLDEN + 1).astype(np.float32), F32)) is None


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "bool", "complex64", "bfloat16", "float8_e4m3fn"])
def test_any_type_has_a_diagnosis(dtype):
    golden = np.ones((3, 4), np.bool_ if dtype == "bool" else np.complex128 if dtype == "complex64" else np.float64)
    golden = golden.astype(DTYPES[dtype].numpy) if dtype in ("int8", "int64", "uint8") else golden
    output = golden.astype(DTYPES[dtype].numpy)
    output[2, 3] = 0
    assert seen(output, golden, dtype).text.startswith("1 of 24" if dtype == "complex64" else "1 of 12")


def test_memory_stays_bounded_on_large_outputs():
    golden = np.ones(MOST_KEPT * 5)
    diagnosis = seen(np.arange(2, len(golden) + 2), golden)
    assert diagnosis.pattern is P.EVERYWHERE
    assert f"{len(golden)} of {len(golden)}" in diagnosis.text


def test_every_pattern_has_a_title():
    assert len({pattern.title for pattern in Pattern}) == len(Pattern)
