"""What ``measure`` sees: each kind of lie, special values, alternatives, exact integers, bounded memory."""

import json
import tracemalloc

import numpy as np
import pytest

from conformance import float_pass
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.measure import measure
from conformance.metrics import Cap, Domain, DTypeProbes, Metrics, Probes, Specials, Tolerance
from conformance.rounding import rounded

FLOATS = ["float32", "float16", "bfloat16", "float64"]
INF, NAN = np.inf, np.nan
PROBE = DTypeProbes((Tolerance(1e-3, 1e-5),), (Cap(1e-2, 32),), (Domain(0.1, 1e-6),), (0.5, 1.0))
PROBES = Probes(dict.fromkeys(DTYPES, PROBE))


def array(values, name):
    """Values rounded to a dtype."""
    with np.errstate(all="ignore"):
        return rounded(np.asarray(values, np.float64), DTYPES[name])


def measured(expected, got, name="float32", **more):
    """Metrics of ``got`` (rounded to the dtype) against ``expected``."""
    golden = GoldenOutput(np.asarray(expected, np.float64), **more)
    return measure(golden, array(got, name), DTYPES[name], PROBES)


def truth(count):
    return np.random.default_rng(7).uniform(0.5, 2.0, count)


@pytest.mark.parametrize("name", FLOATS)
def test_the_rounded_golden_is_zero_ulp_away_and_errs_by_at_most_half_a_step(name):
    metrics = measured(truth(1000), truth(1000), name)
    assert (metrics.bit_different, metrics.max_ulp, metrics.worst) == (0, 0, None)
    assert metrics.ulp_histogram == (1000, 0, 0, 0, 0, 0, 0, 0, 0)
    assert metrics.max_abs_error <= 2 * DTYPES[name].unit


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("steps", [1, 2, 3, 70])
def test_one_element_some_ulp_off_is_found_with_place_and_values(name, steps):
    output = array(truth(40_000), name)
    bits = output.view(f"uint{DTYPES[name].bits}")
    bits[39_999] += steps
    metrics = measure(GoldenOutput(truth(40_000)), output, DTYPES[name], PROBES)
    at = {1: 1, 2: 2, 3: 3, 70: 8}[steps]
    assert (metrics.max_ulp, metrics.bit_different, metrics.ulp_histogram[at]) == (steps, 1, 1)
    assert (metrics.worst.index, metrics.worst.ulp) == (39_999, steps)
    assert metrics.worst.got == float(output[39_999])
    assert metrics.worst.expected == truth(40_000)[39_999]


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        pytest.param(NAN, 0.0, id="nan_made_zero"),
        pytest.param(0.0, NAN, id="zero_made_nan"),
        pytest.param(INF, -INF, id="infinity_of_the_wrong_sign"),
        pytest.param(INF, NAN, id="nan_for_infinity"),
        pytest.param(INF, 65504.0, id="largest_number_for_true_infinity"),
        pytest.param(1.0, INF, id="infinity_for_a_number"),
        pytest.param(1e300, 1.0, id="number_for_overflow"),
    ],
)
def test_a_class_mismatch_is_counted_and_is_the_worst_element(expected, got):
    metrics = measured([[1.0, 2.0], [expected, 4.0]], [[1.0, 2.0], [got, 5.0]], "float16")
    assert metrics.class_mismatches == 1
    assert (metrics.worst.class_mismatch, metrics.worst.position) == (True, (1, 0))
    assert metrics.max_abs_error == 1.0, "the mismatch must not leak into the errors of numbers"


@pytest.mark.parametrize("name", [*FLOATS, "float8_e5m2"])
def test_matching_specials_are_counted_on_both_sides_and_are_no_mismatch(name):
    values = [NAN, INF, -INF, 1.0, NAN]
    metrics = measured(values, values, name)
    assert metrics.golden == metrics.output == Specials(nan=2, plus_inf=1, minus_inf=1)
    assert (metrics.class_mismatches, metrics.bit_different, metrics.compared) == (0, 0, 1)
    assert metrics.max_abs_error == 0.0


def test_nan_payload_and_sign_do_not_matter():
    output = np.array([0x7FC00001, 0xFFFFFFFF, 0x3F800000], np.uint32).view(np.float32)
    metrics = measure(GoldenOutput(np.array([NAN, NAN, 1.0])), output, DTYPES["float32"])
    assert (metrics.class_mismatches, metrics.bit_different) == (0, 0)


def test_the_sign_of_zero_is_only_counted():
    metrics = measured([0.0, -0.0, 0.0], [-0.0, 0.0, 0.0])
    assert (metrics.zero_sign_mismatches, metrics.bit_different, metrics.max_ulp) == (2, 0, 0)


@pytest.mark.parametrize(("golden", "flushed", "zeros"), [(1e-40, 1, 0), (-1e-40, 1, 0), (1e-37, 0, 1), (0.0, 0, 0)])
def test_zero_for_a_subnormal_is_flushed_and_for_a_normal_number_wrong(golden, flushed, zeros):
    metrics = measured([golden, 1.0], [0.0, 1.0])
    assert (metrics.flushed, metrics.zero_for_nonzero) == (flushed, zeros)
    assert metrics.bit_different == flushed + zeros
    assert (metrics.max_ulp == 0) is (zeros == 0)


@pytest.mark.parametrize(
    ("golden", "got", "mismatches"),
    [
        pytest.param(65535.0, 65504.0, 0, id="rounds_to_infinity_but_within_an_ulp"),
        pytest.param(65510.0, INF, 0, id="infinity_a_touch_early"),
        pytest.param(65540.0, 65504.0, 1, id="too_far_beyond"),
        pytest.param(-65535.0, 65504.0, 1, id="other_sign"),
    ],
)
def test_at_the_overflow_edge_either_side_is_one_ulp(golden, got, mismatches):
    metrics = measured([golden], [got], "float16")
    assert (metrics.class_mismatches, metrics.max_ulp) == (mismatches, 1 - mismatches)


def test_of_the_admissible_answers_the_nearest_counts():
    golden = GoldenOutput(np.array([1.0, 1.0, 1.0, NAN]), (np.array([0.0, 0.0, NAN, 3.0]),))
    metrics = measure(golden, array([0.0, 1.0, NAN, 3.5], "float32"), DTYPES["float32"])
    assert (metrics.class_mismatches, metrics.worst.position, metrics.worst.expected) == (0, (3,), 3.0)
    assert (metrics.max_abs_error, metrics.golden.nan) == (0.5, 1)


def test_scaled_errors_are_relative_to_the_terms_not_to_a_cancelled_result():
    unit = DTYPES["float32"].unit
    terms = np.array([1.0, 1.0, 0.0])
    metrics = measured([2.0**-20, 1.0, 0.0], [2.0**-20 + 4 * unit, 1.0, 0.0], terms=terms, term_count=2)
    assert metrics.scaled_error(0.5) == pytest.approx(4.0, abs=0.01)
    assert metrics.max_ulp > 64
    assert measured([0.0], [1e-9], terms=np.zeros(1)).scaled_error(0.5) == INF


@pytest.mark.parametrize("slack", [0.5, 1.0])
def test_slack_forgives_that_many_ulp(slack):
    next_up = 1.0 + 2.0**-10
    metrics = measured([1.0], [next_up], "float16", terms=np.ones(1))
    assert metrics.scaled_error(slack) == pytest.approx((1 - slack) * 2, abs=1e-3)


def test_probes_count_what_they_ask_for():
    golden = np.array([1.0, 1.0, 0.05, 0.05, NAN])
    metrics = measured(golden, golden + np.array([0.0005, 0.5, 1e-3, 0.0, 0.0]))
    assert metrics.within(Tolerance(1e-3, 1e-5)) == 2
    assert metrics.within_cap(Cap(1e-2, 32)) == 3
    domain = metrics.domain(Domain(0.1, 1e-6))
    assert (domain.small, domain.small_errors, domain.large) == (2, 1, 2)
    assert domain.large_max_rel == pytest.approx(0.5)
    assert metrics.within(Tolerance(9.0, 9.0)) is None


def test_a_cap_in_ulp_admits_large_errors_of_large_numbers():
    metrics = measured([1e6, 1e6], [1e6 + 1.0, 1e6 + 3.0])
    assert metrics.within_cap(Cap(1e-2, 32)) == 1


@pytest.mark.parametrize(
    ("name", "expected", "got", "distance"),
    [
        ("int64", 2**63 - 1, -(2**63), 2**64 - 1),
        ("uint64", 2**64 - 1, 0, 2**64 - 1),
        ("int8", -128, 127, 255),
        ("bool", True, False, 1),
        ("int32", 16777217, 16777216, 1),
    ],
)
def test_integers_are_compared_exactly(name, expected, got, distance):
    numpy_type = DTYPES[name].numpy
    golden = GoldenOutput(np.array([1, expected], numpy_type))
    metrics = measure(golden, np.array([1, got], numpy_type), DTYPES[name])
    assert (metrics.max_ulp, metrics.bit_different, metrics.worst.index) == (distance, 1, 1)


def test_an_integer_golden_may_be_wider_than_the_output():
    golden = GoldenOutput(np.array([-1, 300, 5]), (np.array([7, 44, 9]),))
    metrics = measure(golden, np.array([255, 44, 5], np.uint8), DTYPES["uint8"])
    assert (metrics.max_ulp, metrics.bit_different) == (248, 1)


def test_a_bool_that_is_neither_0_nor_1_is_different():
    unwritten = np.array([0xA5], np.uint8).view(np.bool_)
    assert measure(GoldenOutput(np.array([True])), unwritten, DTYPES["bool"]).bit_different == 1


def test_complex_numbers_are_measured_by_parts():
    golden = GoldenOutput(np.array([1 + 2j, 3 + 4j]), terms=np.array([1.0, 1.0]))
    metrics = measure(golden, np.array([1 + 2j, 3 + 5j], np.complex64), DTYPES["complex64"], PROBES)
    assert (metrics.count, metrics.bit_different) == (4, 1)
    assert (metrics.worst.position, metrics.worst.got, metrics.worst.expected) == ((1, 1), 5.0, 4.0)


def test_the_worst_element_shows_its_inputs_where_they_broadcast():
    inputs = {"full": np.arange(6.0).reshape(2, 3), "row": np.array([[7.0, 8.0, 9.0]]), "other": np.zeros((4, 4))}
    output = np.ones((2, 3), np.float32)
    output[1, 2] = 2.0
    metrics = measure(GoldenOutput(np.ones((2, 3))), output, DTYPES["float32"], PROBES, inputs)
    assert metrics.worst.inputs == {"full": 5.0, "row": 9.0}


@pytest.mark.parametrize(
    ("values", "flags"),
    [
        ([0.0, -0.0], (True, False, True)),
        ([NAN, NAN], (False, True, False)),
        ([3.0, 3.0], (False, False, True)),
        ([3.0, 4.0, 3.0], (False, False, False)),
        ([3.0], (False, False, False)),
    ],
)
def test_goldens_that_prove_little_are_flagged(values, flags):
    metrics = measured(values, values)
    assert (metrics.golden_all_zero, metrics.golden_all_nan, metrics.golden_constant) == flags


@pytest.mark.parametrize(
    ("golden", "output", "name", "message"),
    [
        (np.ones(3), np.ones(4, np.float32), "float32", "shape"),
        (np.ones((1, 3)), np.ones(3, np.float32), "float32", "shape"),
        (np.ones(3), np.ones(3, np.float16), "float32", "float16"),
        (np.ones(3), np.ones(3, np.int32), "int32", "integer golden"),
    ],
)
def test_what_does_not_fit_together_raises(golden, output, name, message):
    with pytest.raises(ValueError, match=message):
        measure(GoldenOutput(golden), output, DTYPES[name])


@pytest.mark.parametrize("got", [[1.0, 2.0, NAN], [INF, 2.0, NAN], [1.5, -0.0, 3.0], [1.0, 2.0, 0.0]])
def test_metrics_survive_json(got):
    metrics = measured([1.0, 2.0, NAN], got, terms=np.array([1.0, 0.0, 1.0]), term_count=3)
    text = json.dumps(metrics.to_json(), allow_nan=False)
    again = Metrics.from_json(json.loads(text))
    assert again.to_json() == metrics.to_json()
    assert repr(again) == repr(metrics)


def test_a_scalar_output_is_one_element():
    metrics = measured(1.0, 2.0)
    assert (metrics.count, metrics.worst.position, metrics.worst.got) == (1, (), 2.0)


def test_no_elements_give_empty_metrics():
    metrics = measured(np.empty((0, 3)), np.empty((0, 3)))
    assert (metrics.count, metrics.compared, metrics.golden_all_zero, metrics.golden_all_nan) == (0, 0, False, False)


@pytest.mark.parametrize("name", ["float32", "bfloat16"])
def test_extra_memory_does_not_grow_with_the_tensor(name):
    golden = GoldenOutput(truth(4_000_000))
    wrong = array(golden.value * 1.5, name)
    tracemalloc.start()
    metrics = measure(golden, wrong, DTYPES[name], PROBES)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert metrics.bit_different == 4_000_000
    assert peak < 8 << 20


def test_blocks_do_not_show_in_the_result(monkeypatch):
    golden, output = truth(1000), array(truth(1000) * 1.001, "float32")
    whole = measure(GoldenOutput(golden), output, DTYPES["float32"], PROBES)
    monkeypatch.setattr(float_pass, "BLOCK", 7)
    blocked = measure(GoldenOutput(golden), output, DTYPES["float32"], PROBES)
    assert (whole.ulp_histogram, whole.worst, whole.domains[0].small) == (
        blocked.ulp_histogram,
        blocked.worst,
        blocked.domains[0].small,
    )


def test_an_answer_that_only_flushed_operands_explain_counts_as_flushed():
    metrics = measured([1e-4, 2.0, 3.0], [0.0, 2.0, 3.0], flushing=(np.array([0.0, 2.0, 3.0]),))
    assert (metrics.max_ulp, metrics.flushed, metrics.bit_different, metrics.class_mismatches) == (0, 1, 1, 0)
    kept = measured([1e-4, 2.0, 3.0], [1e-4, 2.0, 3.0], flushing=(np.array([0.0, 2.0, 3.0]),))
    assert (kept.max_ulp, kept.flushed, kept.bit_different) == (0, 0, 0)


def test_zero_times_infinity_is_flushed_where_the_factor_was_subnormal():
    metrics = measured([INF, 1.0], [NAN, 1.0], flushing=(np.array([NAN, 1.0]),))
    assert (metrics.class_mismatches, metrics.flushed) == (0, 1)


def test_zero_where_another_answer_is_zero_is_no_flushed_subnormal():
    metrics = measured([1e-40, 1.0], [0.0, 1.0], alternatives=(np.array([0.0, 1.0]),))
    assert (metrics.bit_different, metrics.flushed) == (0, 0)


def test_nan_by_an_alternative_everywhere_is_no_degenerate_golden():
    assert not measured([1.0, 2.0], [NAN, NAN], alternatives=(np.array([NAN, NAN]),)).golden_all_nan


@pytest.mark.parametrize(
    ("golden", "got", "steps"),
    [
        pytest.param(1 + 0.25 * 2.0**-10, 1 + 2.0**-10, 0.75, id="rounded_up_from_a_quarter"),
        pytest.param(1 + 0.75 * 2.0**-10, 1.0, 0.75, id="cut_off_from_three_quarters"),
        pytest.param(65510.0, np.inf, 26 / 32, id="infinite_below_the_middle"),
        pytest.param(65525.0, 65504.0, 21 / 32, id="finite_above_the_middle"),
        pytest.param(-1.0, 1.0, 2048, id="the_other_sign"),
        pytest.param(2.0**-26, 0.0, 0, id="flushed"),
    ],
)
def test_errors_in_steps_tell_the_nearest_neighbour_from_the_other(golden, got, steps):
    assert measured([golden], [got], "float16").max_step_error == steps


def test_what_is_rounded_to_nearest_has_no_error_in_steps():
    golden = truth(1000)
    assert measured(golden, golden, "bfloat16").max_step_error == 0


@pytest.mark.parametrize("there", [0.0, 7.0, NAN, INF])
def test_free_elements_may_hold_anything(there):
    free = np.array([False, True])
    metrics = measured([1, 2], [1, there], free=free)
    assert (metrics.bit_different, metrics.class_mismatches) == (0, 0)
    assert measured([1, 2], [3, there], free=free).bit_different == 1


@pytest.mark.parametrize("name", FLOATS)
def test_an_element_that_is_another_answer_rounded_errs_by_no_step(name):
    other = np.full(64, 3.0) * (1 + DTYPES[name].unit / 4)
    metrics = measured(truth(64), other, name, alternatives=(other,))
    assert (metrics.bit_different, metrics.max_ulp, metrics.max_step_error) == (0, 0, 0.0)
    assert metrics.ulp_histogram[0] == 64
