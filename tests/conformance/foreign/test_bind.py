"""What a file may state for a parameter, and what it may not."""

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
