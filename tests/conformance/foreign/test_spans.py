"""Every spelling of ``range_values``."""

from math import inf

import pytest

from conformance.errors import InvalidSpec
from conformance.foreign.spans import Choice, Constant, Infinities, Literal, Normal, Omitted, Uniform, parse_span


@pytest.mark.parametrize(
    ("written", "span"),
    [
        ([-5, 5], Uniform(-5, 5)),
        ([5, -5], Uniform(-5, 5)),
        ([True, False], Uniform(False, True)),
        ("(0, 1)", Uniform(0, 1, True, True)),
        ("[ -5, 0 )", Uniform(-5, 0, False, True)),
        ("( 0, 5 ]", Uniform(0, 5, True, False)),
        ([0, "inf"], Uniform(0, inf)),
        (["-inf", "inf"], Infinities()),
        (3, Constant(3)),
        (True, Constant(True)),
        ([0.5], Constant(0.5)),
        ("inf", Constant(inf)),
        (["-inf"], Constant(-inf)),
        ("1e-6", Constant(1e-6)),
        ("tanh", Constant("tanh")),
        (["mean", "sum"], Choice(("mean", "sum"))),
        ([1, 2, 3], Choice((1, 2, 3))),
        ("[0, 2, 4]", Literal((0, 2, 4))),
        ("default", Omitted()),
        (["null"], Omitted()),
        ({"name": "nd", "mean": [-1, 1], "std": [1, 2]}, Normal((-1, 1), (1, 2))),
        ({"name": "nd", "mean": 0, "std": 1, "backward": True}, Normal((0, 0), (1, 1))),
        ({"name": "nd"}, Normal((-100, 100), (1, 25))),
    ],
)
def test_a_spelling_has_one_meaning(written, span):
    assert parse_span(written) == span


@pytest.mark.parametrize("written", [None, [], {"name": "beta"}, {"name": "nd", "std": ["x"]}, [[1]], 10**40])
def test_what_says_nothing_is_refused_with_advice(written):
    with pytest.raises(InvalidSpec) as error:
        parse_span(written)
    assert error.value.advice
