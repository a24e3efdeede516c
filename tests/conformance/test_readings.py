"""An implementation may answer a silent document either way, but elements of the same kinds of inputs alike."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.load import load_standards
from conformance.measure import measure
from conformance.standard import ComparisonClass

NAN, INF = np.nan, np.inf


def measured(got, value, alternative, **inputs):
    golden = GoldenOutput(np.array(value, np.float64), (np.array(alternative, np.float64),))
    arrays = {name: np.array(values, np.float32) for name, values in inputs.items()}
    return measure(golden, np.array(got, np.float32), DTYPES["float32"], inputs=arrays)


@pytest.mark.parametrize(
    ("got", "mixed"),
    [
        pytest.param([NAN, NAN, NAN, 1], 0, id="always_nan"),
        pytest.param([0, 0, 0, 1], 0, id="always_a_number"),
        pytest.param([0, 0, NAN, 1], 1, id="nan_in_the_remainder_only"),
        pytest.param([0, NAN, NAN, 1], 1, id="a_number_in_one_lane_only"),
    ],
)
def test_nan_lanes_are_answered_alike(got, mixed):
    metrics = measured(got, [NAN, NAN, NAN, 1], [0, 0, 0, 1], x=[NAN, NAN, NAN, 1])
    assert (metrics.mixed_readings, metrics.class_mismatches) == (mixed, 0)


def test_other_kinds_of_inputs_may_be_answered_otherwise():
    metrics = measured([NAN, 5, 5, NAN], [NAN] * 4, [5] * 4, x=[NAN, INF, INF, -INF])
    assert metrics.mixed_readings == 0


def test_where_only_one_answer_is_admissible_nothing_is_open():
    metrics = measured([NAN, 1, NAN], [NAN, 1, NAN], [NAN, 1, 0], x=[INF, 1, INF])
    assert metrics.mixed_readings == 0


def test_inputs_that_do_not_broadcast_do_not_tell_elements_apart():
    assert measured([NAN, 0], [NAN, NAN], [0, 0], x=[1, 2, 3]).mixed_readings == 1


@pytest.mark.parametrize("x", [[1, 2, 3, 4], [1]])
def test_halves_of_an_input_are_not_told_apart(x):
    assert measured([NAN, 0], [NAN, NAN], [0, 0], x=x).mixed_readings == 0


@pytest.mark.parametrize("standard", ["strict", "cann_mixed", "torch"])
def test_no_standard_is_met_by_two_readings_at_once(standard):
    metrics = measured([NAN, 0], [NAN, NAN], [0, 0], x=[NAN, NAN])
    judgement = load_standards()[standard].judge(metrics, ComparisonClass.ELEMENTWISE)
    assert judgement.met is False
    assert judgement.reason.startswith("1 elements are NaN where others")
