"""Contract documents: what the schema and the parser refuse, and what is read from them."""

import json

import pytest
from tiny import CONTRACT

from conformance import schema
from conformance.contract import Basis, parse_contract
from conformance.data import data_root
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.properties import Dense, Elementwise, InPlace, Scales, SumsToZero
from conformance.signature import ParameterKind
from conformance.standard import ComparisonClass
from conformance.status import CODES
from conformance.tensor import Format

PATH = data_root() / "activation" / "silu" / "contract.json"


def test_the_schema_knows_the_same_words_as_the_code():
    defs = json.loads((data_root() / "schemas" / "contract-1.schema.json").read_text("utf-8"))
    words = defs["$defs"]
    assert words["product"]["enum"] == list(PRODUCTS)
    assert words["dtype"]["enum"] == list(DTYPES)
    assert words["status"]["enum"] == list(CODES)
    assert words["signature_parameter"]["properties"]["kind"]["enum"] == [kind.value for kind in ParameterKind]
    assert words["rule_format_in"]["properties"]["formats"]["items"]["enum"] == [f.name for f in Format]
    assert words["constraint"]["properties"]["basis"]["enum"] == [basis.value for basis in Basis]
    classes = defs["properties"]["outputs"]["additionalProperties"]["enum"]
    assert classes == [word.value for word in ComparisonClass]


def edited(**edits):
    document = json.loads(PATH.read_text("utf-8"))
    for pointer, value in edits.items():
        *path, last = pointer.split("__")
        target = document
        for step in path:
            target = target[int(step) if step.isdigit() else step]
        target[int(last) if last.isdigit() else last] = value
    return document


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (edited(constraints__1__label="c7"), "constraint 2 is labelled c7, not c2"),
        (edited(constraints__1__rule__parameters=["self", "Out"]), "c2 names 'Out', which is no parameter"),
        (edited(outputs={"self": "exact"}), "outputs are self, the parameters written out"),
        (edited(notes=[{"label": "n2", "text": "a silence"}]), "note 1 is labelled n2, not n1"),
    ],
)
def test_a_contract_that_contradicts_itself_is_refused(document, message):
    with pytest.raises(ValueError, match=message):
        parse_contract(document)


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        (edited(constraints__6__status="PARAM_INVALID"), "/constraints/6/status"),
        (edited(constraints__1__status="SUCCESS"), "/constraints/1/status"),
        (edited(constraints__1__rule__dtypes=["float32"]), "/constraints/1/rule"),
        (edited(constraints__2__rule__dtypes={"ascend910": ["float32"]}), "/constraints/2/rule/dtypes"),
        (edited(constraints__5__rule={"kind": "rank", "parameters": ["self"]}), "/constraints/5/rule"),
        (edited(author="me"), ""),
    ],
)
def test_the_schema_points_at_what_is_wrong(document, pointer):
    problems = schema.schema_problems(schema.CONTRACT, document, json.dumps(document), PATH)
    assert [problem.where.pointer for problem in problems] == [pointer]


def test_notes_and_document_are_read():
    text = (data_root() / "activation" / "hardshrink" / "contract.json").read_text("utf-8")
    contract = parse_contract(json.loads(text))
    assert str(contract.document) == "aclnnHardshrink (activation/hard_shrink/docs/aclnnHardshrink.md, read 2026-08)"
    assert [note.label for note in contract.notes] == ["n1", "n2", "n3"]
    assert "950" in contract.notes[0].text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"kind": "elementwise"}, Elementwise()),
        ({"kind": "in_place", "output": "y", "inputs": ["x"]}, InPlace("y", ("x",))),
        ({"kind": "scales", "input": "x"}, Scales("x")),
        ({"kind": "sums_to_zero", "output": "y", "shares": "x", "axis": "axis"}, SumsToZero("y", "x", "axis")),
        ({"kind": "dense", "parameters": ["x", "y"]}, Dense(("x", "y"))),
    ],
)
def test_a_property_names_parameters_of_the_api(written, read):
    assert parse_contract({**CONTRACT, "properties": [written]}).properties == (read,)
    strange = {key: "nobody" if key in ("output", "input") else value for key, value in written.items()}
    if strange != written:
        with pytest.raises(ValueError, match="a property names 'nobody'"):
            parse_contract({**CONTRACT, "properties": [strange]})
