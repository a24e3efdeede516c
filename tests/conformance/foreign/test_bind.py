"""What a file may state for a parameter, and what it may not."""

from dataclasses import replace

import pytest

from conformance.dtype import DTYPES
from conformance.foreign.bind import Unbound, bind
from conformance.foreign.inputs import Input
from conformance.foreign.spans import Choice, Constant, Literal, Normal, Uniform
from conformance.foreign.tensors import attribute
from conformance.load import load_contracts

SELF = Input("self", "tensor", "float32", DTYPES["float32"], (3, 5), Uniform(-1, 1))


def bound(api, *inputs, apart=False):
    return bind(inputs, load_contracts()[api], apart=apart)


def number(span, name="dim", dtype="int64"):
    return Input(name, "attr", dtype, DTYPES[dtype], None, span)


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        (Constant("abc"), "'abc', which is no number"),
        (Choice((1, "abc")), "'abc', which is no number"),
        (Literal(("abc",)), "'abc', which is no number"),
        (Literal(()), "an empty list"),
    ],
)
def test_a_tensor_gets_numbers(span, reason):
    odd = Input("self", "tensor", "float32", DTYPES["float32"], (3, 5), span)
    with pytest.raises(Unbound, match=reason):
        bound("aclnnSilu", odd)


@pytest.mark.parametrize(
    "span",
    [
        Constant("abc"),
        Choice((1, "abc")),
        Constant(1 << 63),
        Constant(1e30),
        Uniform(-1e30, 1e30),
        Uniform(0, float("inf")),
        Literal((1, 2)),
        Constant(float("nan")),
    ],
)
def test_a_whole_number_is_one_that_its_type_can_hold(span):
    with pytest.raises(Unbound, match="dim is"):
        bound("aclnnSoftmax", SELF, number(span))


@pytest.mark.parametrize("span", [Constant("abc"), Choice((1, "abc"))])
def test_a_scalar_is_a_number(span):
    with pytest.raises(Unbound, match="is an aclScalar, 'abc' is no number"):
        bound("aclnnLeakyRelu", SELF, number(span, "negativeSlope", "float32"))


@pytest.mark.parametrize(("span", "drawn"), [(Constant(1), 1), (Uniform(0, 1), 2), (Choice((0, 1)), 2), (Normal(), 2)])
def test_a_number_is_drawn_where_the_file_leaves_it_open(span, drawn):
    assert len(bound("aclnnLeakyRelu", SELF, number(span, "negativeSlope", "float32")).draws) == drawn


def test_apart_from_tensors_the_order_of_the_file_does_not_matter():
    dim = attribute("dim", -1, "")
    assert bound("aclnnSoftmax", dim, SELF, apart=True).arguments["dim"].value == -1
    unnamed = attribute("", -1, ""), Input("", "tensor", "float32", DTYPES["float32"], (3, 5), Uniform(-1, 1))
    assert bound("aclnnSoftmax", *unnamed, apart=True).arguments["self"].shape == (3, 5)
    with pytest.raises(Unbound, match="self is of kind tensor"):
        bound("aclnnSoftmax", *unnamed)


def scalar(name, value):
    return Input(name, "scalar", "float32", DTYPES["float32"], None, Constant(value))


@pytest.mark.parametrize(
    ("first", "names", "found"),
    [
        ("self", ("alpha", "scale", "inputScale"), (2, 3, 4)),
        ("self", ("inputScale", "scale", "alpha"), (4, 3, 2)),
        ("x", ("a", "b", "c"), (2, 3, 4)),
        ("x", ("alpha", "b", "c"), (2, 3, 4)),
        ("x", ("alpha", "b", "input_scale"), (2, 3, 4)),
        ("x", ("inputScale", "scale", "alpha"), (4, 3, 2)),
        ("self", ("alpha", "inputScale", "scael"), (2, 4, 3)),
        ("x", ("alpha", "inputScale", "scael"), (2, 4, 3)),
    ],
)
def test_a_known_name_goes_to_its_parameter(first, names, found):
    given = [replace(SELF, name=first), *map(scalar, names, (2.0, 3.0, 4.0))]
    arguments = bound("aclnnElu", *given).arguments
    assert tuple(arguments[name].value for name in ("alpha", "scale", "inputScale")) == found


@pytest.mark.parametrize("names", [("inputScale", "b", "c"), ("scale", "scale", "c"), ("a", "alpha", "c")])
def test_names_that_contradict_positions_are_not_guessed(names):
    for apart in (False, True):
        with pytest.raises(Unbound, match="names and positions contradict"):
            bound("aclnnElu", SELF, *map(scalar, names, (2.0, 3.0, 4.0)), apart=apart)


@pytest.mark.parametrize("span", [Constant(1.5), Uniform(0, 1.5), Uniform(0, 1), Normal(), Choice((0, 0.5))])
def test_a_fraction_is_no_whole_number(span):
    with pytest.raises(Unbound, match="dim is of kind int64"):
        bound("aclnnSoftmax", SELF, number(span, dtype="float64"))


def test_a_whole_number_may_be_drawn_between_any_two():
    assert len(bound("aclnnSoftmax", SELF, number(Uniform(-1, 0))).draws) == 2


def test_a_scalar_of_integers_has_no_fraction():
    with pytest.raises(Unbound, match=r"an aclScalar of int64, which 0.5 is not"):
        bound("aclnnLeakyRelu", SELF, number(Constant(0.5), "negativeSlope"))


@pytest.mark.parametrize("value", [1.0, True, -1])
def test_a_number_without_fraction_is_a_whole_one(value):
    assert bound("aclnnSoftmax", SELF, number(Constant(value))).arguments["dim"].value == int(value)


@pytest.mark.parametrize("word", ["BOGUS", "FRACTAL_NZ", "NC1HWC0"])
def test_a_format_that_no_tensor_of_a_caller_has_is_not_taken_for_another(word):
    with pytest.raises(Unbound, match=f"the format {word}"):
        bound("aclnnSilu", replace(SELF, format=word))


@pytest.mark.parametrize("word", ["", "ND", "NCL", "nd", "NCHW"])
def test_a_format_that_callers_have_is_taken(word):
    assert bound("aclnnSilu", replace(SELF, format=word)).arguments["self"].shape == (3, 5)


def clipped(limit):
    x = replace(SELF, name="x", shape=(3, 4))
    numbers = [attribute(name, 1.0, "") for name in ("alpha", "bias")]
    others = attribute("dim", -1, ""), attribute("interleaved", True, "")
    return bound(
        "aclnnClippedSwiglu", x, *others, *numbers, replace(attribute("limit", 1.0, ""), span=limit), apart=True
    )


@pytest.mark.parametrize("limit", [Constant(-7.0), Constant(0.0), Constant(float("nan")), Uniform(-1.0, 7.0)])
def test_a_number_that_no_document_speaks_of_is_not_judged(limit):
    with pytest.raises(Unbound, match="wants a positive limit"):
        clipped(limit)


def test_a_number_within_what_the_document_says_is():
    assert clipped(Constant(7.0)).arguments["limit"].value == 7.0
