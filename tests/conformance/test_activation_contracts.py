"""The contracts of the activation family: each constraint speaks for exactly what breaks it."""

import json

import pytest
from shipped import legal_cases

from conformance import schema
from conformance.call import Attribute, Scalar
from conformance.constraint import TensorOutline, with_changes
from conformance.contract import Basis, parse_contract
from conformance.data import data_root
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.signature import ParameterKind, snake_name
from conformance.status import CODES
from conformance.tensor import Format

F32 = DTYPES["float32"]
PATHS = sorted((data_root() / "activation").glob("*/contract.json"))
DOCUMENTS = {path.parent.name: json.loads(path.read_text("utf-8")) for path in PATHS}
CONTRACTS = {name: parse_contract(document) for name, document in DOCUMENTS.items()}
SIDES = {"document": Basis.IMPLEMENTATION, "implementation": Basis.DOCUMENT}
ATTRIBUTES = {"lambd": Scalar(F32, 0.5), "dim": Attribute(ParameterKind.INT64, -1)}


def tensor(*shape, dtype="float32", format_=Format.ND):
    return TensorOutline(DTYPES[dtype], shape, format_)


def legal_call(contract, shape=(2, 3), dtype="float32"):
    """Every tensor of one shape and type; a weight has one element a channel."""
    channels = shape[1] if len(shape) > 1 else 1
    shapes = {"weight": (channels,), "gradWeight": (channels,)}
    tensors = {p.name: tensor(*shapes.get(p.name, shape), dtype=dtype) for p in contract.tensors}
    return {**tensors, **{p.name: ATTRIBUTES[p.name] for p in contract.parameters if p.name in ATTRIBUTES}}


def answer(contract, facts, product, side):
    """Label of the constraint that refuses the call; None when it is legal or leaves early as empty."""
    breach = contract.first_breach(facts, PRODUCTS[product], without=SIDES[side])
    return breach.constraint.label if breach else None


def test_contracts_are_named_as_their_folders():
    assert len(CONTRACTS) >= 8
    assert [snake_name(contract.api) for contract in CONTRACTS.values()] == list(CONTRACTS)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.parent.name)
def test_contracts_keep_their_schema(path):
    text = path.read_text("utf-8")
    assert schema.schema_problems(schema.CONTRACT, json.loads(text), text, path) == []
    assert (path.parent / json.loads(text)["$schema"]).resolve() == data_root() / "schemas" / "contract-1.schema.json"


LEGAL = legal_cases()


def test_every_api_has_a_legal_call_that_refusals_start_from():
    assert LEGAL.keys() == {contract.api for contract in CONTRACTS.values()}


@pytest.mark.parametrize("api", LEGAL)
def test_a_legal_call_breaks_nothing_on_any_product(api):
    case = LEGAL[api]
    answers = {answer(case.contract, case.facts, product, side) for product in case.products for side in SIDES}
    assert answers == {None}


def violations_of(case, side):
    """Product, constraint, violation and the label that refuses the broken call."""
    for product in sorted(case.products):
        for constraint in case.contract.enforced(PRODUCTS[product], without=SIDES[side]):
            for violation in constraint.rule.violations(case.facts, PRODUCTS[product]):
                broken = with_changes(case.facts, violation.changes)
                yield product, constraint, violation, answer(case.contract, broken, product, side)


@pytest.mark.parametrize("api", LEGAL)
@pytest.mark.parametrize("side", SIDES)
def test_each_violation_is_refused_by_its_constraint_or_an_earlier_one(api, side):
    for product, constraint, violation, label in violations_of(LEGAL[api], side):
        assert label is not None, (product, violation)
        assert int(label[1:]) <= int(constraint.label[1:]), (product, violation)


@pytest.mark.parametrize("api", LEGAL)
def test_a_violation_s_word_stands_for_the_same_changes_on_every_product(api):
    changes = {}
    for _, constraint, violation, _ in violations_of(LEGAL[api], "document"):
        known = changes.setdefault((constraint.label, violation.name), violation.changes)
        assert violation.changes == known
        assert violation.name.replace("_", "a").isalnum()
        assert violation.name == violation.name.lower()


@pytest.mark.parametrize("api", LEGAL)
def test_null_pointers_are_refused_as_such(api):
    contract = LEGAL[api].contract
    nothing = {p.name: None for p in contract.parameters if p.is_pointer and not p.optional}
    for facts in ({**LEGAL[api].facts, "executor": None}, {**LEGAL[api].facts, **nothing}):
        breach = contract.first_breach(facts, PRODUCTS[contract.products[0]], without=Basis.DOCUMENT)
        assert breach.constraint.status == CODES["PARAM_NULLPTR"]
        assert breach.message.endswith(" is null")


BF16 = {"dtype": "bfloat16"}
SPEC = [
    # api, product, changed arguments, refused by the document's constraints, by the implementation's
    ("prelu", "ascend910b", {"weight": tensor(0)}, None, "c9"),
    ("prelu", "ascend910b", {"self": tensor(2, 0), "out": tensor(2, 0), "weight": tensor(0)}, None, None),
    ("prelu", "ascend910b", {"out": tensor(2, 3, format_=Format.NCHW)}, "c7", None),
    ("prelu", "ascend910b", {"weight": tensor(3, 1)}, None, None),
    ("prelu", "ascend910b", {"weight": tensor(3, dtype="float16"), "out": tensor(2, 3, **BF16)}, None, None),
    ("prelu", "ascend310p", {"out": tensor(2, 3, **BF16)}, "c3", "c3"),
    ("prelu_backward", "ascend910b", {"weight": tensor(1, 3), "gradWeight": tensor(1, 3)}, None, None),
    ("prelu_backward", "ascend910b", {"weight": tensor(1, 3)}, "c8", "c8"),
    ("prelu_backward", "ascend910b", {"weight": tensor(3, 1), "gradWeight": tensor(3, 1)}, "c7", "c7"),
    ("prelu_backward", "ascend910b", {"gradOutput": tensor(3)}, None, None),
    ("prelu_backward", "ascend910b", {"gradOutput": tensor(1, 2, 3)}, "c9", "c9"),
    ("silu", "ascend910b", {"self": tensor(*[1] * 9), "out": tensor(*[1] * 9)}, "c6", None),
    ("silu", "ascend910b", {"self": tensor(), "out": tensor()}, None, None),
    ("silu_backward", "ascend950", {"gradOutput": tensor(2, 3, **BF16)}, None, None),
    ("silu_backward", "ascend910b", {"gradOutput": tensor(2, 3, **BF16)}, "c5", "c5"),
    ("silu_backward", "ascend950", {"gradOutput": tensor(1, 3)}, None, None),
    ("silu_backward", "ascend910b", {"gradOutput": tensor(1, 3)}, "c9", "c9"),
    ("silu_backward", "ascend910b", {"gradOutput": tensor(0)}, "c9", "c9"),
    ("hardshrink", "ascend910b", {"out": tensor(2, 3, dtype="float16")}, None, None),
    ("hardshrink", "ascend910b", {"lambd": Scalar(DTYPES["int32"], 1)}, "c4", None),
    ("hardshrink", "ascend910b", {"lambd": Scalar(F32, -1.0)}, None, None),
    ("hardshrink_backward", "ascend910b", {"gradOutput": tensor(2, 3, dtype="float16")}, "c7", None),
    ("hardshrink_backward", "ascend910b", {"gradOutput": tensor(0)}, "c10", None),
    ("hardshrink_backward", "ascend910b", {"gradOutput": tensor(3)}, None, None),
    ("selu_backward", "ascend910b", dict.fromkeys(("gradOutput", "result", "gradInput"), tensor()), "c7", None),
    ("selu_backward", "ascend910b", dict.fromkeys(("gradOutput", "result", "gradInput"), tensor(0)), "c8", None),
    ("softmax_backward", "ascend910b", {"output": tensor(0), "out": tensor(5)}, "c9", None),
    ("softmax_backward", "ascend950", {"output": tensor(0), "out": tensor(5)}, "c9", "c9"),
    ("softmax_backward", "ascend910b", {"out": tensor(2, 3, dtype="complex64")}, None, None),
    ("softmax_backward", "ascend910", dict.fromkeys(("gradOutput", "output"), tensor(2, 3, **BF16)), None, "c4"),
]


@pytest.mark.parametrize(("name", "product", "changes", "document", "implementation"), SPEC)
def test_document_and_implementation_part_where_they_are_known_to(name, product, changes, document, implementation):
    contract = CONTRACTS[name]
    facts = {**legal_call(contract), **changes}
    assert answer(contract, facts, product, "document") == document
    assert answer(contract, facts, product, "implementation") == implementation


@pytest.mark.parametrize(
    ("name", "changes", "exits"),
    [
        ("silu", {}, False),
        ("silu", {"self": tensor(2, 0), "out": tensor(2, 0)}, True),
        ("prelu_backward", {"gradOutput": tensor(0), "self": tensor(0), "gradInput": tensor(0)}, True),
        ("hardshrink_backward", {"gradOutput": tensor(0)}, True),
    ],
)
def test_empty_calls_leave_early(name, changes, exits):
    facts = {**legal_call(CONTRACTS[name]), **changes}
    assert CONTRACTS[name].exits_empty(facts, PRODUCTS["ascend910b"]) is exits
