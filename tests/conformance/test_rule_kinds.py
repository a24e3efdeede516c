"""Every kind of rule: its JSON, its class and its schema are one."""

import json
from dataclasses import fields

import pytest

from conformance.attribute_rules import AttributeIn, AttributeNotIn, AttributeRange
from conformance.axis_rules import Extent, Halved, Over, WithoutAxis
from conformance.conditional_rules import Given
from conformance.constraint import EmptyExit, Quantifier
from conformance.data import data_root
from conformance.dtype import DTYPES
from conformance.dtype_rules import DTypeIn, DTypeLists, DTypeNumber
from conformance.format_rules import FormatIn
from conformance.platform_rules import ProductIn
from conformance.pointer_rules import NotNull, Null
from conformance.promotion_rules import MixedPrecision, Promotes
from conformance.rule_kinds import RULE_KINDS, kind_of, parameters_of, parse_rule
from conformance.shape_rules import ChannelWeight, Rank, WeightForm
from conformance.tensor import Format

F16, F32 = DTYPES["float16"], DTYPES["float32"]
EXAMPLES = [
    ({"kind": "not_null", "parameters": ["self", "executor"]}, NotNull(("self", "executor"))),
    ({"kind": "null", "parameters": ["offset"]}, Null(("offset",))),
    ({"kind": "product_in", "products": ["ascend950"]}, ProductIn(frozenset({"ascend950"}))),
    ({"kind": "dtype_number", "attribute": "dstType", "tensor": "y"}, DTypeNumber("dstType", "y")),
    ({"kind": "attribute_in", "parameter": "p", "values": ["a"], "prefix": True}, AttributeIn("p", ("a",), True)),
    ({"kind": "rank", "parameters": ["self"], "max": 8}, Rank(("self",), max=8)),
    (
        {"kind": "dtype_in", "parameters": ["x"], "dtypes": {"*": ["float16", "float32"], "ascend910": ["float16"]}},
        DTypeIn(("x",), DTypeLists((F16, F32), {"ascend910": (F16,)})),
    ),
    (
        {"kind": "promotes", "parameters": ["x", "y"], "into": ["float16"], "castable_to": "out"},
        Promotes(("x", "y"), DTypeLists((F16,)), "out"),
    ),
    (
        {"kind": "mixed_precision", "parameters": ["x", "y"], "output": "out", "wide": "float32"},
        MixedPrecision(("x", "y"), "out", F32),
    ),
    (
        {"kind": "channel_weight", "weight": "w", "tensor": "x", "form": "ranked"},
        ChannelWeight("w", "x", WeightForm.RANKED),
    ),
    ({"kind": "halved", "half": "y", "whole": "x", "axis": "d"}, Halved("y", "x", "d")),
    ({"kind": "without_axis", "reduced": "y", "whole": "x", "at": 1}, WithoutAxis("y", "x", at=1)),
    (
        {"kind": "extent", "tensor": "x", "at": -2, "over": "others", "max": 9},
        Extent("x", at=-2, over=Over.OTHERS, max=9),
    ),
    ({"kind": "format_in", "parameters": ["x"], "formats": ["ND"]}, FormatIn(("x",), (Format.ND,))),
    ({"kind": "attribute_range", "parameter": "p", "min": 0}, AttributeRange("p", min=0.0)),
    ({"kind": "attribute_in", "parameter": "p", "values": ["a", 1]}, AttributeIn("p", ("a", 1))),
    ({"kind": "attribute_not_in", "parameter": "p", "values": [0]}, AttributeNotIn("p", (0,))),
    (
        {
            "kind": "given",
            "condition": {"kind": "attribute_in", "parameter": "p", "values": [True]},
            "rule": {"kind": "rank", "parameters": ["self"], "max": 8},
        },
        Given(AttributeIn("p", (True,)), Rank(("self",), max=8)),
    ),
    ({"kind": "empty_exit", "parameters": ["x"], "when": "all"}, EmptyExit(("x",), Quantifier.ALL)),
]


@pytest.mark.parametrize(("document", "rule"), EXAMPLES)
def test_json_becomes_the_rule(document, rule):
    assert parse_rule(document) == rule
    assert kind_of(rule) == document["kind"]


def test_an_unknown_kind_is_named():
    with pytest.raises(ValueError, match="unknown rule kind 'no_such_kind'; kinds are not_null, "):
        parse_rule({"kind": "no_such_kind"})


@pytest.mark.parametrize(
    ("document", "names"),
    [
        ({"kind": "promotes", "parameters": ["x", "y"], "castable_to": "out"}, ["x", "y", "out"]),
        ({"kind": "promotes", "parameters": ["x", "y"]}, ["x", "y"]),
        ({"kind": "attribute_in", "parameter": "p", "values": ["none"]}, ["p"]),
        ({"kind": "channel_weight", "weight": "w", "tensor": "x", "form": "ranked"}, ["w", "x"]),
        (
            {
                "kind": "given",
                "condition": {"kind": "attribute_in", "parameter": "p", "values": [True]},
                "rule": {"kind": "scalar_castable", "scalar": "alpha", "tensors": ["x", "y"]},
            },
            ["p", "alpha", "x", "y"],
        ),
    ],
)
def test_parameters_of_a_rule_are_its_names_and_not_its_values(document, names):
    assert list(parameters_of(parse_rule(document))) == names


@pytest.mark.parametrize("kind", RULE_KINDS)
def test_the_schema_of_a_kind_has_the_fields_of_its_class(kind):
    schema = json.loads((data_root() / "schemas" / "contract-1.schema.json").read_text("utf-8"))
    entry = schema["$defs"][f"rule_{kind}"]
    assert set(entry["properties"]) == {"kind", *(field.name for field in fields(RULE_KINDS[kind]))}
    assert entry["properties"]["kind"] == {"const": kind}
    assert entry["additionalProperties"] is False


def test_the_schema_knows_the_same_kinds():
    schema = json.loads((data_root() / "schemas" / "contract-1.schema.json").read_text("utf-8"))["$defs"]
    assert schema["rule"]["properties"]["kind"]["enum"] == list(RULE_KINDS)
    branches = [branch["then"]["$ref"] for branch in schema["rule"]["allOf"]]
    assert branches == [f"#/$defs/rule_{kind}" for kind in RULE_KINDS]
    assert {name for name in schema if name.startswith("rule_")} == {f"rule_{kind}" for kind in RULE_KINDS}
