"""What rules look at: facts, the empty exit, changes and how they spread."""

import pytest

from conformance.call import Attribute, Scalar
from conformance.constraint import (
    EmptyExit,
    Quantifier,
    TensorChange,
    TensorOutline,
    spread,
    tensor_of,
    tensors_of,
    with_changes,
)
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.signature import ParameterKind
from conformance.tensor import Format

F32 = DTYPES["float32"]
FULL, EMPTY = TensorOutline(F32, (2, 3)), TensorOutline(F32, (2, 0))
NOT_TENSORS = [None, Scalar(F32, 1.0), Attribute(ParameterKind.INT64, 1)]


@pytest.mark.parametrize(
    ("one", "other", "any_empty", "all_empty"),
    [
        (FULL, FULL, False, False),
        (FULL, EMPTY, True, False),
        (EMPTY, EMPTY, True, True),
        (None, EMPTY, True, True),
        (None, None, False, False),
        ((FULL, EMPTY), FULL, True, False),
    ],
)
def test_empty_exit(one, other, any_empty, all_empty):
    facts = {"self": one, "other": other}
    assert EmptyExit(("self", "other")).is_empty(facts) is any_empty
    assert EmptyExit(("self", "other"), Quantifier.ALL).is_empty(facts) is all_empty


def test_empty_exit_refuses_nothing():
    rule, product = EmptyExit(("self",)), PRODUCTS["ascend950"]
    assert rule.check({"self": EMPTY}, product) is None
    assert list(rule.violations({"self": FULL}, product)) == []


@pytest.mark.parametrize("fact", NOT_TENSORS)
def test_null_scalars_and_attributes_are_no_tensors(fact):
    assert tensor_of({"self": fact}, "self") is None
    assert list(tensors_of({"self": fact}, ["self"])) == []


def test_tensor_lists_give_their_elements():
    facts = {"x": (FULL, None, EMPTY), "y": FULL}
    assert list(tensors_of(facts, ["y", "x"])) == [("y", FULL), ("x[0]", FULL), ("x[2]", EMPTY)]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (TensorChange(dtype=DTYPES["int8"]), TensorOutline(DTYPES["int8"], (2, 3))),
        (TensorChange(shape=()), TensorOutline(F32, ())),
        (TensorChange(format=Format.NCHW), TensorOutline(F32, (2, 3), Format.NCHW)),
        (None, None),
        (Scalar(F32, 2.0), Scalar(F32, 2.0)),
    ],
)
def test_with_changes_replaces_what_is_named_and_keeps_the_rest(change, expected):
    facts = {"self": FULL, "other": EMPTY}
    assert with_changes(facts, {"self": change}) == {"self": expected, "other": EMPTY}
    assert facts["self"] is FULL


@pytest.mark.parametrize(
    ("names", "together", "words"),
    [
        (["gradOutput", "out"], False, ["grad_output_grown", "out_grown", "all_grown"]),
        (["gradOutput", "out"], True, ["all_grown"]),
        (["out"], False, ["out_grown"]),
        (["out"], True, ["out_grown"]),
        (["out", "missing"], True, ["out_grown"]),
    ],
)
def test_spread_changes_each_and_all(names, together, words):
    facts = {"gradOutput": FULL, "out": FULL, "missing": None}
    found = spread(facts, names, "grown", lambda _: TensorChange(shape=(9,)), together=together)
    assert [violation.name for violation in found] == words
