"""The closed tables: element types, products, statuses, signatures."""

import ml_dtypes
import numpy as np
import pytest

from conformance.dtype import BY_ACL, BY_NUMPY, DTYPES, Kind, largest, smallest_normal, smallest_subnormal
from conformance.product import PRODUCTS, product_of_soc
from conformance.signature import Parameter, ParameterKind, Role, snake_name
from conformance.status import CODES, NAMES, status_name


@pytest.mark.parametrize(
    ("name", "acl", "size", "word"),
    [
        ("float32", 0, 4, "fp32"),
        ("float16", 1, 2, "fp16"),
        ("int8", 2, 1, "int8"),
        ("bfloat16", 27, 2, "bf16"),
        ("bool", 12, 1, "bool"),
        ("complex128", 17, 16, "complex128"),
        ("int4", 29, 1, "int4"),
        ("hifloat8", 34, 1, "hif8"),
        ("float8_e8m0", 37, 1, "fp8_e8m0"),
        ("float4_e2m1", 40, 1, "fp4_e2m1"),
        ("float4_e1m2", 41, 1, "fp4_e1m2"),
    ],
)
def test_a_row_of_the_dtype_table(name, acl, size, word):
    dtype = DTYPES[name]
    assert (dtype.acl, dtype.itemsize, dtype.word, str(dtype)) == (acl, size, word, name)
    assert BY_ACL[acl] is dtype


def test_every_number_word_and_numpy_type_stands_once():
    assert len({row.acl for row in DTYPES.values()}) == len({row.word for row in DTYPES.values()}) == len(DTYPES)
    assert all(BY_NUMPY[row.numpy] is row for row in DTYPES.values() if row.numpy is not None)
    assert all(row.numpy.itemsize == row.itemsize for row in DTYPES.values() if row.numpy is not None)


def test_limits_of_floating_point_types():
    half, brain = DTYPES["float16"], DTYPES["bfloat16"]
    assert (largest(half), smallest_normal(half), smallest_subnormal(half)) == (65504.0, 2.0**-14, 2.0**-24)
    assert largest(brain) == float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    assert (half.unit, DTYPES["float32"].unit) == (2.0**-11, 2.0**-24)
    hif8, power = DTYPES["hifloat8"], DTYPES["float8_e8m0"]
    assert (largest(hif8), smallest_normal(hif8), smallest_subnormal(hif8)) == (2.0**15, 2.0**-15, 2.0**-22)
    assert (largest(power), smallest_subnormal(power)) == (2.0**127, 2.0**-127)
    with pytest.raises(ValueError, match="int4 has no numpy representation"):
        largest(DTYPES["int4"])


def test_kinds_of_types():
    assert {name for name, row in DTYPES.items() if row.kind is Kind.UNSIGNED} == {
        "uint8",
        "uint16",
        "uint32",
        "uint64",
    }
    assert DTYPES["uint8"].is_integer
    assert not DTYPES["bool"].is_integer
    assert not DTYPES["complex64"].is_float
    assert DTYPES["int8"].numpy == np.int8


@pytest.mark.parametrize(
    ("soc", "product"),
    [
        ("Ascend910B3", "ascend910b"),
        ("Ascend910B", "ascend910"),
        ("Ascend910ProB", "ascend910"),
        ("Ascend910_9391", "ascend910_93"),
        ("Ascend310P3", "ascend310p"),
        ("Ascend310B1", "ascend310b"),
        ("Ascend950PR_9589", "ascend950"),
        ("Kirin", None),
    ],
)
def test_the_product_of_a_soc_name_is_that_of_its_longest_prefix(soc, product):
    found = product_of_soc(soc)
    assert (found and str(found)) == product


def test_statuses_have_names_both_ways():
    assert status_name(161002) == "PARAM_INVALID (161002)"
    assert status_name(0) == "SUCCESS (0)"
    assert status_name(7) == "7"
    assert {NAMES[number]: number for number in NAMES} == CODES
    assert "ascend910b" in PRODUCTS


@pytest.mark.parametrize(
    ("api", "word"),
    [
        ("aclnnPreluBackward", "prelu_backward"),
        ("aclnnSilu", "silu"),
        ("aclnnGELUV2", "geluv2"),
        ("gradOutput", "grad_output"),
        ("aclnnRMSNormGrad", "rms_norm_grad"),
    ],
)
def test_file_words_of_api_names(api, word):
    assert snake_name(api) == word


def test_what_can_be_null_and_what_is_written():
    tensor = Parameter("x", ParameterKind.TENSOR, Role.INOUT, "aclTensor*")
    number = Parameter("n", ParameterKind.INT64, Role.INPUT, "int64_t")
    assert (tensor.is_pointer, tensor.is_written) == (True, True)
    assert (number.is_pointer, number.is_written) == (False, False)
