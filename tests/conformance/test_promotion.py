"""CANN's tables of promotion and casts, as data and as functions."""

from itertools import product

import pytest

from conformance import schema
from conformance.data import PROMOTION_FILE, data_root
from conformance.dtype import DTYPES
from conformance.json_text import read_json
from conformance.promotion import castable, parse_promotion, promote, promote_scalar, promotion_tables


def name(dtype):
    return dtype and dtype.name


@pytest.mark.parametrize(
    ("one", "other", "promoted"),
    [
        ("float16", "float32", "float32"),
        ("float16", "bfloat16", "float32"),
        ("float16", "int64", "float16"),
        ("uint8", "int8", "int16"),
        ("bool", "bool", "bool"),
        ("float64", "complex64", "complex128"),
        ("bfloat16", "complex32", "complex32"),
        ("uint16", "uint16", "uint16"),
        ("uint16", "float32", None),
        ("float8_e5m2", "float32", None),
    ],
)
def test_tensors_promote(one, other, promoted):
    assert name(promote(DTYPES[one], DTYPES[other])) == promoted


@pytest.mark.parametrize(
    ("scalar", "tensor", "promoted"),
    [
        ("float64", "float16", "float16"),
        ("float64", "int8", "float32"),
        ("int64", "int8", "int8"),
        ("bool", "bool", "bool"),
        ("int32", "bool", "int32"),
        ("complex64", "float16", "complex32"),
        ("float64", "complex64", "complex128"),
        ("bool", "uint64", "uint64"),
        ("uint16", "bool", None),
    ],
)
def test_a_scalar_changes_the_tensor_s_type_only_from_a_lower_kind(scalar, tensor, promoted):
    assert name(promote_scalar(DTYPES[scalar], DTYPES[tensor])) == promoted


def test_promotion_of_tensors_is_commutative_and_idempotent():
    table = promotion_tables().tensor_tensor
    assert len(table) == 13 * 13 + 3
    assert all(table[other, one] is promoted for (one, other), promoted in table.items())
    assert all(promoted is one for (one, other), promoted in table.items() if one is other)


REFUSED = {("complex", "bool"), ("complex", "integer"), ("complex", "float"), ("float", "integer")}
REFUSED |= {(source, "bool") for source in ("integer", "float")}
MEMBERS = {
    "bool": ["bool"],
    "integer": ["int8", "uint64"],
    "float": ["float16", "bfloat16", "float64"],
    "complex": ["complex32", "complex128"],
}


@pytest.mark.parametrize(("source", "target"), list(product(MEMBERS, MEMBERS)))
def test_casts_never_lead_to_a_lower_class(source, target):
    pairs = list(product(MEMBERS[source], MEMBERS[target]))
    assert [castable(DTYPES[a], DTYPES[b]) for a, b in pairs] == [(source, target) not in REFUSED] * len(pairs)


def test_a_type_outside_the_tables_is_castable_only_to_itself():
    assert castable(DTYPES["int4"], DTYPES["int4"])
    assert not castable(DTYPES["int4"], DTYPES["int8"])


def test_the_tables_keep_their_schema():
    text, document = read_json(data_root() / PROMOTION_FILE)
    assert schema.schema_problems(schema.PROMOTION, document, text, data_root() / PROMOTION_FILE) == []


def test_a_row_of_wrong_length_is_refused():
    _, document = read_json(data_root() / PROMOTION_FILE)
    document["tensor_tensor"]["rows"]["bool"].pop()
    with pytest.raises(ValueError, match="zip"):
        parse_promotion(document)
