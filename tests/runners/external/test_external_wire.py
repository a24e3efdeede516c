"""What a program reads: every kind of argument and step as JSON that keeps the published schema."""

import base64
import json
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from conformance.call import DEFAULT_STEPS, Action, Attribute, Call, Scalar, Step
from conformance.dtype import DTYPES
from conformance.product import PRODUCTS
from conformance.schema import schema_problems
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import GUARD_BYTES, Format, Memory, Tensor, new_tensor
from runners.external.memories import SHARED_ABOVE, BadAnswer, Exchange
from runners.external.wire import decode, encode, run_request, start_request, supports_request

PRODUCT = PRODUCTS["ascend910b"]
FLOAT32 = DTYPES["float32"]
KINDS = {Tensor: ParameterKind.TENSOR, tuple: ParameterKind.TENSOR_LIST, Scalar: ParameterKind.SCALAR}


def call_of(*arguments, steps=DEFAULT_STEPS):
    named = {f"p{index}": argument for index, argument in enumerate(arguments)}
    parameters = tuple(
        Parameter(name, KINDS.get(type(argument), getattr(argument, "kind", ParameterKind.TENSOR)), Role.INOUT, "T")
        for name, argument in named.items()
    )
    return Call("aclnnTiny", PRODUCT, parameters, named, steps)


def request_of(call, shared_files=True):
    with Exchange(call, shared_files) as exchange:
        request = json.loads(encode({**run_request(call, exchange), "id": 1}))
    assert schema_problems("exec-1#/$defs/run", request, "{}", Path("request")) == []
    return request


def argument_of(argument):
    return request_of(call_of(argument))["arguments"]["p0"]


@pytest.mark.parametrize(
    ("argument", "written"),
    [
        (None, None),
        (Scalar(FLOAT32, 0.5), {"dtype": "float32", "acl_dtype": 0, "value": 0.5}),
        (Scalar(FLOAT32, nan), {"dtype": "float32", "acl_dtype": 0, "value": "nan"}),
        (Scalar(DTYPES["int64"], -(2**63)), {"dtype": "int64", "acl_dtype": 9, "value": -(2**63)}),
        (
            Scalar(DTYPES["complex64"], complex(1, -inf)),
            {"dtype": "complex64", "acl_dtype": 16, "value": {"real": 1, "imag": "-inf"}},
        ),
        (Attribute(ParameterKind.INT64, -1), {"value": -1}),
        (Attribute(ParameterKind.DOUBLE, -0.0), {"value": "-0.0"}),
        (Attribute(ParameterKind.BOOL, True), {"value": True}),
        (Attribute(ParameterKind.STRING, "tänh"), {"value": "tänh"}),
        (Attribute(ParameterKind.FLOAT_ARRAY, (1.5, inf)), {"value": [1.5, "inf"]}),
    ],
)
def test_arguments_without_data(argument, written):
    assert argument_of(argument) == written


def test_a_tensor_is_what_acl_create_tensor_takes():
    tensor = Tensor(DTYPES["bfloat16"], (2, 3), (1, 2), 4, (5, 2), Format.NCHW, Memory(20))
    assert argument_of(tensor) == {
        "dtype": "bfloat16",
        "acl_dtype": 27,
        "shape": [2, 3],
        "strides": [1, 2],
        "offset": 4,
        "storage_shape": [5, 2],
        "format": "NCHW",
        "acl_format": 0,
        "memory": 0,
        "byte_offset": GUARD_BYTES,
    }


def test_tensors_that_share_memory_name_the_same():
    one, other = new_tensor(FLOAT32, (2,)), new_tensor(FLOAT32, (3,))
    request = request_of(call_of(one, (other, None, one)))
    members = request["arguments"]["p1"]["tensors"]
    assert [member and member["memory"] for member in members] == [1, None, 0]
    assert request["arguments"]["p0"]["memory"] == 0
    assert len(request["memories"]) == 2


@pytest.mark.parametrize(
    ("step", "written"),
    [
        (Step(Action.WORKSPACE, frozenset({"p0", "executor"})), {"do": "workspace", "null": ["executor", "p0"]}),
        (Step(Action.REPEATABLE), {"do": "repeatable", "null": []}),
        (Step(Action.RUN, frozenset({"workspace"})), {"do": "run", "null": ["workspace"]}),
        (Step(Action.REFILL), {"do": "refill", "byte": 0x5A}),
        (Step(Action.MOVE), {"do": "move", "null": []}),
        (Step(Action.RUN, stream=1, short=True), {"do": "run", "null": [], "stream": 1, "workspace": "short"}),
    ],
)
def test_steps(step, written):
    assert request_of(call_of(None, steps=(step,)))["steps"] == [written]


def test_a_memory_travels_with_its_guards():
    tensor = new_tensor(FLOAT32, (2,))
    (memory,) = request_of(call_of(tensor))["memories"]
    assert base64.b64decode(memory["base64"]) == tensor.memory.everything.tobytes()
    assert memory["bytes"] == 8 + 2 * GUARD_BYTES


def test_a_large_memory_is_a_file_that_the_program_writes_in_place():
    tensor = new_tensor(DTYPES["uint8"], (SHARED_ABOVE,))
    with Exchange(call_of(tensor), shared_files=True) as exchange:
        path = Path(exchange.written()[0]["file"])
        path.write_bytes(bytes(len(tensor.memory.everything)))
        exchange.take_back([])
    assert not tensor.memory.everything.any()
    assert not path.parent.exists()


def test_without_shared_files_a_large_memory_is_base64():
    assert "base64" in request_of(call_of(new_tensor(FLOAT32, (SHARED_ABOVE,))), shared_files=False)["memories"][0]


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({"memory": 1, "base64": ""}, "not in the request"),
        ({"memory": 0, "base64": "A"}, "is no base64"),
        ({"memory": 0, "base64": "AAAA"}, "came back with 3 bytes, it has 136"),
    ],
)
def test_memories_that_do_not_fit_are_refused(entry, complaint):
    small = call_of(new_tensor(FLOAT32, (2,)))
    with Exchange(small, shared_files=True) as exchange, pytest.raises(BadAnswer, match=complaint):
        exchange.take_back([entry])


def test_a_large_memory_must_come_back_as_its_file():
    with Exchange(call_of(new_tensor(FLOAT32, (SHARED_ABOVE,))), shared_files=True) as exchange:
        exchange.written()
        with pytest.raises(BadAnswer, match="memory 0 is answered in base64 but is a shared file"):
            exchange.take_back([{"memory": 0, "base64": ""}])


@pytest.mark.parametrize("request_", [start_request(), supports_request("aclnnTiny", PRODUCT), {"do": "stop"}])
def test_the_other_messages_keep_their_schemas(request_):
    message = {**request_, "id": 7}
    assert schema_problems(f"exec-1#/$defs/{request_['do']}", message, "{}", Path("request")) == []
    assert schema_problems("exec-1", message, "{}", Path("request")) == []


def test_an_answer_belongs_to_its_message():
    with pytest.raises(BadAnswer, match="message 2 was answered with id 1"):
        decode(b'{"id": 1, "unsupported": null}', {"do": "supports", "id": 2})


def test_bytes_survive_the_round_trip():
    tensor = new_tensor(FLOAT32, (4,))
    changed = np.arange(len(tensor.memory.everything), dtype=np.uint8)
    with Exchange(call_of(tensor), shared_files=True) as exchange:
        exchange.take_back([{"memory": 0, "base64": base64.b64encode(changed.tobytes()).decode()}])
    assert (tensor.memory.everything == changed).all()
