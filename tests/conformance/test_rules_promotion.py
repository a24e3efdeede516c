"""Rules about types that may differ: promotion, casts, mixed precision."""

import pytest

from conformance.call import Scalar
from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.dtype_rules import DTypeLists
from conformance.product import PRODUCTS
from conformance.promotion_rules import Castable, MixedPrecision, Promotes, PromotesTo, ScalarCastable

A5 = PRODUCTS["ascend950"]


def facts(*dtypes):
    return {
        name: dtype and TensorOutline(DTYPES[dtype], (2,))
        for name, dtype in zip(("grad", "self", "out"), dtypes, strict=True)
    }


@pytest.mark.parametrize(
    ("dtypes", "message"),
    [
        (("float16", "bfloat16", "float16"), None),
        (("float16", "uint16", "float16"), "self of dtype uint16 does not promote with float16"),
        (("float16", "float64", "float16"), "grad, self promote to float64, which is not supported"),
        (("float16", "float32", "int8"), "grad, self promote to float32, which cannot be cast to out of int8"),
        ((None, "float32", "float16"), None),
        ((None, None, "float16"), None),
        (("float16", "float32", None), None),
    ],
)
def test_promotes_follows_the_tables(dtypes, message):
    rule = Promotes(("grad", "self"), DTypeLists.read(["float16", "float32"]), castable_to="out")
    assert rule.check(facts(*dtypes), A5) == message


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        (Promotes(("grad", "self")), {"self_uint16"}),
        (Promotes(("grad", "self"), castable_to="out"), {"self_uint16", "self_complex64"}),
        (Castable("self", "out"), {"out_uint16", "out_int32"}),
    ],
)
def test_violations_are_types_that_break_the_rule(rule, names):
    legal = facts("float32", "float32", "float32")
    found = {v.name: rule.check(with_changes(legal, v.changes), A5) for v in rule.violations(legal, A5)}
    assert set(found) == names
    assert None not in found.values()


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("int8", "float16", None),
        ("float32", "int8", "grad of dtype float32 cannot be cast to out of dtype int8"),
        (None, "int8", None),
    ],
)
def test_castable(source, target, message):
    assert Castable("grad", "out").check(facts(source, None, target), A5) == message


@pytest.mark.parametrize(
    ("dtypes", "message"),
    [
        (("float16", "float16", "float16"), None),
        (("float16", "bfloat16", "float32"), None),
        (
            ("float16", "bfloat16", "float16"),
            "grad, self have dtype float16, bfloat16, so out must have float32, not float16",
        ),
        (
            ("float16", "float16", "float32"),
            "grad, self have dtype float16, so out must have float16, not float32",
        ),
        (("float16", "bfloat16", None), None),
        ((None, None, "float16"), None),
    ],
)
def test_mixed_precision_widens_the_output(dtypes, message):
    assert MixedPrecision(("grad", "self"), "out", DTYPES["float32"]).check(facts(*dtypes), A5) == message


@pytest.mark.parametrize(
    ("dtype", "names"),
    [
        ("float32", {"out_fp16", "self_fp16_into_fp16"}),
        ("bfloat16", {"out_fp32", "self_fp32_into_fp16"}),
    ],
)
def test_mixed_precision_is_broken_by_a_narrow_output_and_by_another_one(dtype, names):
    rule, legal = MixedPrecision(("grad", "self"), "out", DTYPES["float32"]), facts(dtype, dtype, dtype)
    found = {v.name: rule.check(with_changes(legal, v.changes), A5) for v in rule.violations(legal, A5)}
    assert set(found) == names
    assert None not in found.values()


@pytest.mark.parametrize(
    ("scalar", "dtypes", "message"),
    [
        ("float32", ("float16", "int8"), None),
        ("int64", ("int8", "int8"), None),
        ("float32", ("int8", "uint8"), "alpha of dtype float32 cannot be cast to int16, to which grad, self promote"),
        (
            "complex64",
            ("float16", None),
            "alpha of dtype complex64 cannot be cast to float16, to which grad, self promote",
        ),
        ("complex64", ("float16", "uint16"), None),
        ("complex64", (None, None), None),
        (None, ("int8", "int8"), None),
    ],
)
def test_a_scalar_is_cast_to_what_the_tensors_promote_to(scalar, dtypes, message):
    alpha = {"alpha": scalar and Scalar(DTYPES[scalar], 1)}
    rule = ScalarCastable("alpha", ("grad", "self"))
    assert rule.check({**facts(*dtypes, "float32"), **alpha}, A5) == message


@pytest.mark.parametrize(
    ("dtype", "names"), [("int8", {"alpha_fp32", "alpha_complex64"}), ("float16", {"alpha_complex64"})]
)
def test_a_scalar_of_a_higher_kind_breaks_the_rule(dtype, names):
    legal = {**facts(dtype, dtype, dtype), "alpha": Scalar(DTYPES["int32"], 1)}
    assert {v.name for v in ScalarCastable("alpha", ("grad", "self")).violations(legal, A5)} == names


@pytest.mark.parametrize(
    ("dtypes", "message"),
    [
        (("float16", "float16", "float16"), None),
        (("float16", "bfloat16", "float32"), None),
        (("int32", "float16", "float16"), None),
        (
            ("int32", "float16", "float32"),
            "grad, self promote to float16, so out must have it, not float32",
        ),
        (("float16", "uint16", "float16"), None),
        (("float16", "float32", None), None),
        ((None, None, "float16"), None),
    ],
)
def test_an_output_has_the_promoted_type(dtypes, message):
    assert PromotesTo(("grad", "self"), "out").check(facts(*dtypes), A5) == message


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
def test_a_type_that_is_not_the_promoted_one_breaks_the_rule(dtype):
    rule, legal = PromotesTo(("grad", "self"), "out"), facts(dtype, dtype, dtype)
    found = {v.name: rule.check(with_changes(legal, v.changes), A5) for v in rule.violations(legal, A5)}
    assert len(found) == 2
    assert None not in found.values()
