"""One group body and one choice of axis values give arguments, steps and expectation."""

import pytest
from tiny import CONTRACT, group, with_arguments

from conformance.call import Action, Attribute, Scalar
from conformance.case import Refusal, Success, Unspecified
from conformance.contract import parse_contract
from conformance.dtype import DTYPES
from conformance.errors import InvalidSpec
from conformance.expectation import parse_expectation
from conformance.outcome import Phase
from conformance.signature import ParameterKind
from conformance.specify import specify, substitute
from conformance.tensor import Format


def contract_with(kind):
    """The tiny contract with ``axis`` of another kind."""
    parameters = [{**p, "kind": kind} if p["name"] == "axis" else p for p in CONTRACT["parameters"]]
    return parse_contract({**CONTRACT, "parameters": parameters})


TINY = contract_with("int64")


@pytest.mark.parametrize(
    ("written", "value"),
    [("$a", [1, 2]), ("$b.k", 7), (["$a", 1], [[1, 2], 1]), ({"x": {"y": "$b.k"}}, {"x": {"y": 7}}), ("a", "a")],
)
def test_axis_references_are_replaced_anywhere(written, value):
    assert substitute(written, {"a": [1, 2], "b": {"k": 7}}) == value


@pytest.mark.parametrize(
    ("written", "message"),
    [("$c", "undeclared axis"), ("$b.z", "has no key 'z'"), ("$a.k", "has no key 'k'")],
)
def test_references_to_nothing(written, message):
    with pytest.raises(InvalidSpec, match=message):
        substitute(written, {"a": [1, 2], "b": {"k": 7}})


def test_a_tensor_in_full():
    written = {"dtype": "float16", "shape": [2, 3], "layout": {"step": 2}, "format": "NCHW", "values": {"constant": 1}}
    spec = specify(TINY, with_arguments(x=written), {})
    x = spec.arguments["x"]
    assert (x.dtype.word, x.strides, x.storage_shape, x.format) == ("fp16", (6, 2), (2, 6), Format.NCHW)
    assert (x.values.kind, x.values.argument, x.values.each) == ("constant", 1, 1)
    assert list(spec.arguments) == ["x", "factor", "axis", "y"]


def test_an_alias_has_everything_from_its_target():
    y = specify(TINY, with_arguments(y={"alias": "x"}), {}).arguments["y"]
    assert (y.alias, y.shape, y.dtype) == ("x", (2, 3), DTYPES["float32"])


@pytest.mark.parametrize(
    ("written", "scalar"),
    [
        ({"scalar": 0.1}, Scalar(DTYPES["float32"], 0.10000000149011612)),
        ({"scalar": 2, "dtype": "int32"}, Scalar(DTYPES["int32"], 2)),
        ({"scalar": "-inf", "dtype": "float16"}, Scalar(DTYPES["float16"], float("-inf"))),
    ],
)
def test_scalars_are_rounded_to_their_type(written, scalar):
    assert specify(TINY, with_arguments(factor=written), {}).arguments["factor"] == scalar


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        ("int64", -1, -1),
        ("int32", 2, 2),
        ("double", 1, 1.0),
        ("float", "inf", float("inf")),
        ("bool", True, True),
        ("string", "tanh", "tanh"),
        ("int_array", [0, 2], (0, 2)),
        ("bool_array", [True], (True,)),
    ],
)
def test_plain_arguments(kind, written, value):
    given = specify(contract_with(kind), with_arguments(axis=written), {}).arguments["axis"]
    assert given == Attribute(ParameterKind(kind), value)


@pytest.mark.parametrize(
    ("kind", "written"),
    [("int64", True), ("int32", 1.0), ("double", True), ("bool", 1), ("string", 1), ("int_array", 1)],
)
def test_plain_arguments_of_another_kind(kind, written):
    with pytest.raises(InvalidSpec, match=f"axis is of kind {kind}") as caught:
        specify(contract_with(kind), with_arguments(axis=written), {})
    assert caught.value.pointer == "/arguments/axis"


@pytest.mark.parametrize("kind", ["string", "int_array"])
def test_null_pointers(kind):
    spec = specify(contract_with(kind), with_arguments(axis=None, x=None, workspaceSize=None), {})
    assert (spec.arguments["axis"], spec.arguments["x"], spec.nulls) == (None, None, {"workspaceSize"})
    assert spec.facts["workspaceSize"] is None


def test_steps_with_nulls_and_statuses():
    steps = ["workspace", {"do": "run", "null": ["executor"], "status": "PARAM_NULLPTR"}, {"do": "refill"}]
    body = group(steps=steps)
    assert [(step.action, set(step.nulls)) for step in specify(TINY, body, {}).steps] == [
        (Action.WORKSPACE, set()),
        (Action.RUN, {"executor"}),
        (Action.REFILL, set()),
    ]
    assert parse_expectation(TINY, body, {}) == Success((0, 161001, 0))


@pytest.mark.parametrize(
    ("expect", "expectation"),
    [
        ("success", Success()),
        ({"success": {"workspace": 64, "degenerate": ["y"]}}, Success(workspace=64, degenerate=frozenset({"y"}))),
        ({"success": {"outputs": {"y": ["-inf", 1]}}}, Success(outputs={"y": (float("-inf"), 1.0)})),
        ({"success": {"untouched": ["y"]}}, Success(untouched=frozenset({"y"}))),
        ({"reject": "PARAM_INVALID", "phase": "run"}, Refusal(Phase.RUN, 161002)),
        ({"unspecified": "silent"}, Unspecified("silent")),
        ({"unspecified": "undefined", "crash": True}, Unspecified("undefined", crash=True)),
        (
            {
                "unspecified": "they differ",
                "document": "success",
                "implementation": {"reject": "INNER", "phase": "run"},
            },
            Unspecified("they differ", Success(), Refusal(Phase.RUN, 561000)),
        ),
    ],
)
def test_expectations(expect, expectation):
    assert parse_expectation(TINY, group(expect=expect), {}) == expectation


@pytest.mark.parametrize(
    ("body", "pointer", "message"),
    [
        (group(expect={"reject": "OOPS", "phase": "run"}), "/expect", "unknown status 'OOPS'"),
        (group(steps=[{"do": "run", "status": "OOPS"}]), "/steps", "unknown status 'OOPS'"),
        (group(expect={"success": {"untouched": ["x"]}}), "/expect", "expect names x"),
        (group(expect={"success": {"outputs": {"y": "$v"}}}), "/expect", "undeclared axis"),
    ],
)
def test_expectations_that_name_nothing(body, pointer, message):
    with pytest.raises(InvalidSpec, match=message) as caught:
        parse_expectation(TINY, body, {})
    assert caught.value.pointer == pointer
