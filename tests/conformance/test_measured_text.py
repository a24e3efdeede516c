"""Metrics parsed straight from the text of a line are those that are read number by number, and are refused alike."""

import json

import pytest
from tiny import prelu_cases, prelu_group, session

from conformance.measured_text import measured_in, text_of
from conformance.record import line_of
from conformance.record_lines import CaseLine, parse_line


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    """The line of a case that passed."""
    (case,) = prelu_cases(tmp_path_factory.mktemp("data"), prelu_group())
    return json.loads(line_of(session().execute(case)).text)


def read(line):
    """What is read of a line, with words for what is no number, or the kind of error that refuses it."""
    try:
        return json.loads(bytes(text_of(measured_in(line))))
    except (KeyError, TypeError, ValueError) as error:
        return type(error)


def changed(line, **parts):
    """The line with other metrics of its first output; an ellipsis takes one away."""
    (name, output), *others = line["outputs"].items()
    metrics = {key: value for key, value in {**output["metrics"], **parts}.items() if value is not ...}
    return {**line, "outputs": {name: {**output, "metrics": metrics}, **dict(others)}}


WORST = {"index": 1, "position": [0, 1], "got": "inf", "class_mismatch": True, "ulp": 3, "abs_error": "inf"}
COMPLEX = {"real": 1.5, "imag": "nan"}


FIGURES = [
    {},
    {"rmse": 1e-7, "max_rel_error": 3e22, "mean_rel_error": 1.0},
    {"max_rel_error": "inf", "rmse": "nan"},
    {"max_ulp": (1 << 64) + 1},
    {"worst": {**WORST, "expected": COMPLEX, "rel_error": 0.5, "inputs": {"self": COMPLEX, "weight": "-inf"}}},
    {"worst": {**WORST, "expected": 1, "rel_error": 0.5, "inputs": {"self": True}}},
]


@pytest.mark.parametrize("parts", FIGURES)
def test_they_are_written_as_number_by_number(line, parts):
    measured = measured_in(changed(line, **parts))
    written = json.loads(bytes(text_of(measured)))
    for name, one in measured.items():
        assert json.dumps(written[name]["metrics"]) == json.dumps(one.metrics.to_json())


@pytest.mark.parametrize("parts", FIGURES)
def test_both_ways_read_the_same(line, parts):
    plain = changed(line, **parts)
    text = parse_line(json.dumps(plain).encode())
    assert isinstance(text, CaseLine)
    assert read(text) == read(plain)
    assert isinstance(read(plain), dict)


@pytest.mark.parametrize(
    "parts",
    [
        {"count": ...},
        {"golden": ...},
        {"worst": WORST},
        {"worst": {**WORST, "expected": 1, "rel_error": 0.5}},
        {"domains": [{"small": 1}]},
    ],
)
def test_both_ways_refuse_the_same(line, parts):
    plain = changed(line, **parts)
    text = parse_line(json.dumps(plain).encode())
    assert isinstance(text, CaseLine)
    assert read(text) == read(plain) in (KeyError, TypeError)


def test_a_comparison_that_nobody_knows_is_refused(line):
    plain = {**line, "outputs": {name: {**output, "comparison": "close"} for name, output in line["outputs"].items()}}
    assert read(parse_line(json.dumps(plain).encode())) is read(plain) is ValueError
