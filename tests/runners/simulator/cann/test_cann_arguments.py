"""C descriptions of arguments become the values of a call: every kind of parameter."""

import cffi
import ml_dtypes
import numpy as np
import pytest

from conformance.call import Attribute, Scalar
from conformance.dtype import DTYPES
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import Format
from runners.simulator.cann.arguments import dtype_of, read_arguments
from runners.simulator.cann.bridge import connect
from runners.simulator.cann.embedding import declarations

ffi = cffi.FFI()
ffi.cdef(declarations("bridge.h"))
KINDS = ParameterKind


def read(kind, **fields):
    """One argument of a kind, described by the fields of a ``BridgeArgument``."""
    described = ffi.new("BridgeArgument[1]", [{"present": 1, **fields}])
    return read_arguments(ffi, (Parameter("it", kind, Role.INPUT, "?"),), described, 1)["it"]


def elements(values, dtype):
    raw = np.array(values, dtype).tobytes()
    kept = ffi.new("char[]", raw)
    return {"count": len(values), "elements": ffi.cast("void *", kept), "tensors": ffi.NULL}, kept


@pytest.mark.parametrize(
    ("kind", "fields", "value"),
    [
        (KINDS.INT64, {"integer": -(2**40)}, -(2**40)),
        (KINDS.INT32, {"integer": 7}, 7),
        (KINDS.BOOL, {"integer": 1}, True),
        (KINDS.DOUBLE, {"real": 1e-300}, 1e-300),
        (KINDS.FLOAT, {"real": 0.5}, 0.5),
    ],
)
def test_plain_arguments(kind, fields, value):
    assert read(kind, **fields) == Attribute(kind, value)


@pytest.mark.parametrize(
    ("kind", "values", "dtype"),
    [
        (KINDS.INT_ARRAY, (3, -1), "int64"),
        (KINDS.FLOAT_ARRAY, (0.5,), "float32"),
        (KINDS.BOOL_ARRAY, (True, False), "bool"),
    ],
)
def test_arrays(kind, values, dtype):
    fields, _kept = elements(values, dtype)
    assert read(kind, **fields) == Attribute(kind, values)
    assert read(kind, count=0) == Attribute(kind, ())


def test_a_string():
    text = ffi.new("char[]", b"tanh")
    assert read(KINDS.STRING, elements=text) == Attribute(KINDS.STRING, "tanh")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("float32", 0.5),
        ("bfloat16", -2.0),
        ("int64", 2**40),
        ("bool", True),
        ("complex64", 1 + 2j),
        ("float8_e4m3fn", 0.25),
    ],
)
def test_scalars(name, value):
    raw = np.array([value], DTYPES[name].numpy).tobytes()
    kept = ffi.new("char[]", raw)
    assert read(KINDS.SCALAR, dtype=DTYPES[name].acl, count=len(raw), elements=kept) == Scalar(DTYPES[name], value)


def test_bfloat16_is_the_type_of_ml_dtypes():
    assert dtype_of(27).numpy == ml_dtypes.bfloat16


def described_tensor(dtype=0, tensor_format=2):
    dims = ffi.new("int64_t[]", [2, 3])
    fields = {"present": 1, "dtype": dtype, "format": tensor_format, "rank": 2, "storage_rank": 1, "offset": 4}
    return ffi.new("BridgeTensor[2]", [{**fields, "shape": dims, "strides": dims, "storage": dims}]), dims


def test_a_tensor():
    tensors, _kept = described_tensor()
    tensor = read(KINDS.TENSOR, count=1, tensors=tensors)
    assert (tensor.dtype.name, tensor.shape, tensor.strides, tensor.offset) == ("float32", (2, 3), (2, 3), 4)
    assert (tensor.storage_shape, tensor.format) == ((2,), Format.ND)


@pytest.mark.parametrize("number", [-1, 13, 40, 999])
def test_unknown_types_and_formats_have_no_values(number):
    tensors, _kept = described_tensor(number, 12)
    tensor = read(KINDS.TENSOR, count=1, tensors=tensors)
    assert (tensor.dtype.acl, tensor.dtype.numpy, tensor.format) == (number, None, Format.UNDEFINED)


def test_a_list_keeps_its_null_tensors():
    tensors, _kept = described_tensor()
    listed = read(KINDS.TENSOR_LIST, count=2, tensors=tensors)
    assert (len(listed), listed[0].shape, listed[1]) == (2, (2, 3), None)


@pytest.mark.parametrize("kind", [KINDS.TENSOR, KINDS.SCALAR, KINDS.STRING])
def test_null_pointers(kind):
    assert read(kind, present=0) is None


def test_a_library_built_for_another_contract_is_found_out():
    with pytest.raises(ValueError, match="passes 0 arguments for 1 parameters: build it again"):
        read_arguments(ffi, (Parameter("it", KINDS.TENSOR, Role.INPUT, "?"),), ffi.new("BridgeArgument[1]"), 0)


class Recorder:
    """Stands for cffi: keeps the functions that the bridge implements."""

    def __init__(self):
        self.functions = {}

    def def_extern(self, name):
        return lambda function: self.functions.setdefault(name, function)


def test_an_exception_is_an_answer():
    recorder, answer = Recorder(), ffi.new("BridgeAnswer *")
    connect(recorder)
    recorder.functions["aclnn_simulator_launch"](99, 0, answer)
    assert (answer.status, ffi.string(answer.text)) == (561000, b"the simulator failed: KeyError: 99")
