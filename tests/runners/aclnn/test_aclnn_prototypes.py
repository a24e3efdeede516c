"""C types become ctypes exactly; every API's phases have one form."""

import ctypes

import pytest

from conformance.signature import Parameter, ParameterKind, Role
from runners.aclnn.prototypes import PHASE_2, PROTOTYPES, UnknownCType, c_type, phase_1


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("float", ctypes.c_float),
        ("double", ctypes.c_double),
        ("int8_t", ctypes.c_int8),
        ("const int64_t", ctypes.c_int64),
        ("bool", ctypes.c_bool),
        ("int", ctypes.c_int),
        ("char *", ctypes.c_char_p),
        ("const char*", ctypes.c_char_p),
        ("const aclTensor *", ctypes.c_void_p),
        ("aclOpExecutor**", ctypes.c_void_p),
        ("aclDataType", ctypes.c_int),
    ],
)
def test_a_c_type_has_one_ctypes_type(spelled, expected):
    assert c_type(spelled) is expected


@pytest.mark.parametrize("spelled", ["long double", "struct x", ""])
def test_a_c_type_outside_the_table_is_refused(spelled):
    with pytest.raises(UnknownCType, match="cannot be passed"):
        c_type(spelled)


def test_phase_1_takes_the_parameters_then_two_addresses():
    parameters = [
        Parameter("self", ParameterKind.TENSOR, Role.INPUT, "const aclTensor*"),
        Parameter("alpha", ParameterKind.FLOAT, Role.INPUT, "float"),
    ]
    types = (ctypes.c_void_p, ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p)
    assert phase_1(parameters).arguments == types


def test_phase_2_and_the_table_are_read_as_written():
    assert PHASE_2.arguments == (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)
    assert PROTOTYPES["aclFinalize"].arguments == ()
    assert PROTOTYPES["aclrtGetSocName"].result is ctypes.c_char_p
    assert PROTOTYPES["aclCreateScalar"].result is ctypes.c_void_p
    assert PROTOTYPES["aclrtSetDevice"].arguments == (ctypes.c_int32,)
