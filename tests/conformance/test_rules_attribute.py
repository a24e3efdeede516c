"""Rules about values of scalars and attributes: axes, ranges, choices."""

from math import nan

import pytest

from conformance.attribute_rules import AttributeIn, AttributeNotIn, AttributeRange, AxisRange
from conformance.call import Attribute, Scalar
from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.signature import ParameterKind

A2 = PRODUCTS["ascend910b"]
F32 = DTYPES["float32"]


def attribute(value, kind=ParameterKind.INT64):
    return Attribute(kind, value)


def broken_values(rule, legal, name):
    """Violation → the value it passes; every violation has to break the rule."""
    values = {}
    for violation in rule.violations(legal, A2):
        assert rule.check(with_changes(legal, violation.changes), A2) is not None, violation
        values[violation.name] = violation.changes[name].value
    return values


@pytest.mark.parametrize(
    ("axis", "shape", "message"),
    [
        (1, (2, 3), None),
        (-2, (2, 3), None),
        (2, (2, 3), "dim is 2, not -2 to 1"),
        (-3, (2, 3), "dim is -3, not -2 to 1"),
        (-1, (), None),
        (0, (), None),
        (1, (), "dim is 1, not -1 to 0"),
    ],
)
def test_axis_range_counts_rank_0_as_rank_1(axis, shape, message):
    facts = {"dim": attribute(axis), "self": TensorOutline(F32, shape)}
    assert AxisRange("dim", "self").check(facts, A2) == message


def test_axis_range_looks_at_every_axis_of_an_array_and_is_silent_without_its_tensor():
    rule, axes = AxisRange("dim", "self"), attribute((0, 5), ParameterKind.INT_ARRAY)
    assert rule.check({"dim": axes, "self": TensorOutline(F32, (2, 3))}, A2) == "dim is 5, not -2 to 1"
    assert rule.check({"dim": axes, "self": None}, A2) is None


@pytest.mark.parametrize(
    ("dim", "values"),
    [
        (attribute(0), {"dim_above": 2, "dim_below": -3}),
        (attribute((0, 1), ParameterKind.INT_ARRAY), {"dim_above": (2, 1), "dim_below": (-3, 1)}),
    ],
)
def test_axis_range_is_broken_on_both_ends(dim, values):
    facts = {"dim": dim, "self": TensorOutline(F32, (2, 3))}
    assert broken_values(AxisRange("dim", "self"), facts, "dim") == values


@pytest.mark.parametrize(
    ("rule", "value", "message"),
    [
        (AttributeRange("p", min=0, max=1), 0.0, None),
        (AttributeRange("p", min=0, max=1), 1.5, "p is 1.5, not <= 1"),
        (AttributeRange("p", min=0, exclusive_min=True), 0.0, "p is 0.0, not > 0"),
        (AttributeRange("p", max=1, exclusive_max=True), 1.0, "p is 1.0, not < 1"),
        (AttributeRange("p", min=0), nan, None),
        (AttributeRange("p", min=0, nan=False), nan, "p is NaN"),
        (AttributeRange("p", min=0), (1.0, -1.0), "p is -1.0, not >= 0"),
    ],
)
def test_attribute_range(rule, value, message):
    assert rule.check({"p": attribute(value, ParameterKind.DOUBLE)}, A2) == message


def test_attribute_range_looks_at_scalars_and_passes_null():
    rule = AttributeRange("lambd", min=0)
    assert rule.check({"lambd": Scalar(F32, -0.5)}, A2) == "lambd is -0.5, not >= 0"
    assert rule.check({"lambd": None}, A2) is None


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        (AttributeRange("p", min=0, max=1), {"p_below": -1, "p_above": 2}),
        (AttributeRange("p", min=0, max=1, exclusive_min=True, exclusive_max=True), {"p_below": 0, "p_above": 1}),
        (AttributeIn("p", (0, 1, 2)), {"p_above": 3, "p_below": -1}),
    ],
)
@pytest.mark.parametrize("legal", [attribute(1), Scalar(F32, 0.5)])
def test_numbers_are_broken_just_outside(rule, values, legal):
    assert broken_values(rule, {"p": legal}, "p") == values


def test_attribute_range_of_an_integer_is_broken_by_an_integer():
    values = broken_values(AttributeRange("p", min=1.0), {"p": attribute(3)}, "p")
    assert values == {"p_below": 0}
    assert type(values["p_below"]) is int


def test_attribute_range_that_refuses_nan_is_broken_by_it():
    legal = {"p": attribute(0.5, ParameterKind.DOUBLE)}
    assert set(broken_values(AttributeRange("p", nan=False), legal, "p")) == {"p_nan"}


def test_attribute_in_takes_words():
    rule = AttributeIn("approximate", ("none", "tanh"))
    legal = {"approximate": attribute("tanh", ParameterKind.STRING)}
    assert rule.check(legal, A2) is None
    assert broken_values(rule, legal, "approximate") == {"approximate_unlisted": "unlisted"}


@pytest.mark.parametrize(
    ("value", "message"),
    [(0.0, "alpha is 0.0"), (-0.0, "alpha is -0.0"), (0, "alpha is 0"), (-0.5, None), (nan, None)],
)
def test_attribute_not_in_refuses_both_zeros(value, message):
    rule = AttributeNotIn("alpha", (0,))
    assert rule.check({"alpha": Scalar(F32, value)}, A2) == message
    assert rule.check({"alpha": None}, A2) is None


def test_attribute_not_in_is_broken_by_every_listed_number():
    rule, legal = AttributeNotIn("alpha", (0, -0.5)), {"alpha": Scalar(F32, 1.0)}
    assert broken_values(rule, legal, "alpha") == {"alpha_0": 0, "alpha_minus_0_5": -0.5}


@pytest.mark.parametrize(("value", "met"), [("static", True), ("statically", True), ("Static", False), ("stat", False)])
def test_a_word_may_need_only_to_begin_with_a_listed_one(value, met):
    rule = AttributeIn("mode", ("static", "dynamic"), prefix=True)
    facts = {"mode": attribute(value, ParameterKind.STRING)}
    assert (rule.check(facts, A2) is None) is met
    assert broken_values(rule, facts, "mode") == {"mode_unlisted": "unlisted"}
