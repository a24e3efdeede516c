"""Rules about element types: listed ones, per product, and equality."""

import pytest

from conformance.call import Attribute, Scalar
from conformance.constraint import TensorOutline, with_changes
from conformance.dtype import DTYPES
from conformance.dtype_rules import DTypeIn, DTypeLists, DTypeNotIn, DTypeNumber, SameDType, ScalarDTypeIn
from conformance.product import PRODUCTS
from conformance.signature import ParameterKind

A1, A2 = PRODUCTS["ascend910"], PRODUCTS["ascend910b"]
LISTS = DTypeLists.read({"*": ["float16", "float32", "bfloat16"], "ascend910": ["float16", "float32"]})


def facts(**dtypes):
    return {name: dtype and TensorOutline(DTYPES[dtype], (2, 3)) for name, dtype in dtypes.items()}


def violations(rule, legal, product):
    """Name → what the rule says; every violation has to be one."""
    return {v.name: rule.check(with_changes(legal, v.changes), product) for v in rule.violations(legal, product)}


@pytest.mark.parametrize(
    ("dtypes", "product", "message"),
    [
        ({"self": "bfloat16", "out": "float32"}, A2, None),
        ({"self": "bfloat16", "out": "float32"}, A1, "self has dtype bfloat16, which is not one of float16, float32"),
        ({"self": "float16", "out": "int8"}, A1, "out has dtype int8, which is not one of float16, float32"),
        ({"self": None, "out": "float32"}, A1, None),
    ],
)
def test_dtype_in_looks_at_the_list_of_the_product(dtypes, product, message):
    assert DTypeIn(("self", "out"), LISTS).check(facts(**dtypes), product) == message


def test_dtype_in_looks_into_tensor_lists():
    tensors = (TensorOutline(DTYPES["float32"], (1,)), None, TensorOutline(DTYPES["int8"], (1,)))
    message = DTypeIn(("x",), LISTS).check({"x": tensors}, A1)
    assert message == "x[2] has dtype int8, which is not one of float16, float32"


@pytest.mark.parametrize(
    ("together", "product", "names"),
    [
        (False, A2, {"self_fp64", "out_fp64", "all_fp64", "all_int32"}),
        (False, A1, {"self_fp64", "out_fp64", "all_fp64", "all_int32", "self_bf16", "out_bf16", "all_bf16"}),
        (True, A1, {"all_fp64", "all_int32", "all_bf16"}),
    ],
)
def test_dtype_in_is_broken_by_common_types_and_by_those_of_other_products(together, product, names):
    rule, legal = DTypeIn(("self", "out"), LISTS, together), facts(self="float32", out="float32")
    faults = violations(rule, legal, product)
    assert set(faults) == names
    assert None not in faults.values()


def test_dtype_in_of_every_common_type_has_no_violation():
    everything = DTypeLists(tuple(DTYPES.values()))
    assert list(DTypeIn(("self",), everything).violations(facts(self="float32"), A1)) == []


@pytest.mark.parametrize(
    ("dtypes", "message"),
    [
        ({"self": "float32"}, None),
        ({"self": "bfloat16"}, "self has dtype bfloat16, which ascend910 does not take"),
        ({"self": None}, None),
    ],
)
def test_dtype_not_in_is_a_gate(dtypes, message):
    rule = DTypeNotIn(("self",), DTypeLists.read(["bfloat16"]))
    assert rule.check(facts(**dtypes), A1) == message


def test_dtype_not_in_is_broken_by_each_listed_type():
    rule = DTypeNotIn(("self", "out"), DTypeLists.read(["bfloat16"]), together=True)
    assert violations(rule, facts(self="float32", out="float32"), A1) == {
        "all_bf16": "self has dtype bfloat16, which ascend910 does not take"
    }


@pytest.mark.parametrize(
    ("dtypes", "message"),
    [
        ({"self": "int8", "other": "int8", "out": "int8"}, None),
        ({"self": "int8", "other": "int8", "out": "int32"}, "out has dtype int32, self has int8"),
        ({"self": None, "other": "int8", "out": "int32"}, "out has dtype int32, other has int8"),
        ({"self": None, "other": None, "out": "int32"}, None),
    ],
)
def test_same_dtype_compares_with_the_first_that_is_not_null(dtypes, message):
    assert SameDType(("self", "other", "out")).check(facts(**dtypes), A1) == message


@pytest.mark.parametrize(("dtype", "word"), [("float32", "fp16"), ("float16", "fp32"), ("bfloat16", "fp32")])
def test_same_dtype_is_broken_by_another_common_float(dtype, word):
    faults = violations(SameDType(("self", "out")), facts(self=dtype, out=dtype), A2)
    assert set(faults) == {f"out_{word}"}
    assert None not in faults.values()


def test_scalar_dtype_in_looks_only_at_scalars():
    rule = ScalarDTypeIn(("lambd", "self"), DTypeLists.read(["float32"]))
    legal = {"lambd": Scalar(DTYPES["float32"], 0.5), **facts(self="int8")}
    assert rule.check(legal, A1) is None
    assert violations(rule, legal, A1) == {"lambd_fp64": "lambd has dtype float64, which is not one of float32"}


@pytest.mark.parametrize(
    ("number", "dtype", "message"),
    [(36, "float8_e4m3fn", None), (2, "hifloat8", "dstType is 2, y has dtype hifloat8, which is 34")],
)
def test_the_number_of_a_tensors_type(number, dtype, message):
    rule = DTypeNumber("dstType", "y")
    legal = {"dstType": Attribute(ParameterKind.INT64, number), **facts(y=dtype)}
    assert rule.check(legal, A2) == message
    assert rule.check({**legal, "y": None}, A2) is None
    assert all(violations(rule, facts(y=dtype) | {"dstType": Attribute(ParameterKind.INT64, DTYPES[dtype].acl)}, A2))
