"""What travels between parent and child arrives as it was."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from msgspec import structs

from conformance import exchange
from conformance.call import DEFAULT_STEPS, Action, Attribute, Call, Scalar, Step
from conformance.dtype import DTYPES
from conformance.exchange import (
    SHARED_FROM,
    SharedFile,
    contents_after,
    pack,
    pack_outcome,
    take_back,
    unpack,
    unpack_outcome,
)
from conformance.outcome import Broken, Completed, Phase, Rejected, StepResult, Unsupported
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import Format, Memory, Tensor, new_tensor

A2 = PRODUCTS["ascend910b"]
FLOAT, BYTES = DTYPES["float32"], DTYPES["int8"]
STEPS = (Step(Action.WORKSPACE, frozenset({"executor"})), Step(Action.RUN, stream=2, short=True), *DEFAULT_STEPS)
SHARED = Memory(24)
ARGUMENTS = {
    "tensor": new_tensor(FLOAT, (2, 3)),
    "empty": new_tensor(FLOAT, (0,)),
    "strided": Tensor(FLOAT, (2,), (2,), 1, (4,), Format.FRACTAL_NZ, SHARED),
    "alias": Tensor(FLOAT, (3, 2), (0, 1), 0, (6,), Format.NCHW, SHARED),
    "list": (new_tensor(BYTES, (5,)), None, new_tensor(DTYPES["int4"], (3,))),
    "bare": structs.replace(new_tensor(BYTES, (3,)), memory=Memory.over(np.arange(3, dtype=np.uint8))),
    "scalar": Scalar(DTYPES["complex64"], -0.0 + 1j),
    "flag": Attribute(ParameterKind.BOOL, True),
    "axes": Attribute(ParameterKind.INT_ARRAY, (-1, 2**62)),
    "null": None,
}


@pytest.fixture
def shared():
    file = SharedFile()
    yield file
    file.close()


def call_of(arguments):
    parameters = tuple(
        Parameter(name, ParameterKind.TENSOR_LIST if name == "list" else ParameterKind.TENSOR, Role.INOUT, "aclTensor*")
        for name in arguments
    )
    return Call("aclnnAny", A2, parameters, arguments, STEPS, 7.5)


def sent(message):
    return pickle.loads(pickle.dumps(message))


def tensors(call):
    return dict(call.tensors(written=True))


@pytest.mark.parametrize("more", [0, SHARED_FROM], ids=["in the message", "in the shared file"])
def test_a_call_arrives_as_it_was_and_its_memories_come_back(more, shared):
    call = call_of({**ARGUMENTS, "filler": new_tensor(BYTES, (more,))})
    parcel, memories = pack(call, shared)
    there, buffer = unpack(sent(parcel), shared)
    assert (there.api, there.product, there.parameters) == (call.api, call.product, call.parameters)
    assert (there.steps, there.deadline) == (call.steps, call.deadline)
    for mine, theirs in zip(tensors(call).values(), tensors(there).values(), strict=True):
        assert repr(structs.replace(theirs, memory=mine.memory)) == repr(mine)
        assert theirs.memory.has_guards == mine.memory.has_guards
        assert (theirs.memory.everything == mine.memory.everything).all()
    for name in ("scalar", "flag", "axes", "null"):
        assert repr(there.arguments[name]) == repr(call.arguments[name])
    assert there.arguments["strided"].memory is there.arguments["alias"].memory
    for tensor in tensors(there).values():
        tensor.memory.everything[:] = 9
    take_back(parcel, memories, contents_after(parcel, buffer), shared)
    assert all((tensor.memory.everything == 9).all() for tensor in tensors(call).values())


def test_what_is_as_it_was_is_not_sent_back(shared):
    parcel, _ = pack(call_of(ARGUMENTS), shared)
    there, buffer = unpack(sent(parcel), shared)
    assert contents_after(parcel, buffer) == b""
    tensors(there)["tensor"].memory.everything[0] ^= 1
    assert len(contents_after(parcel, buffer)) == len(buffer)


def test_a_full_file_system_sends_large_memories_in_the_message(shared, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(shared, "bytes", full)
    call = call_of({"large": new_tensor(BYTES, (SHARED_FROM,))})
    parcel, memories = pack(call, shared)
    there, buffer = unpack(sent(parcel), shared)
    tensors(there)["large"].view()[-1] = 3
    take_back(parcel, memories, contents_after(parcel, buffer), shared)
    assert tensors(call)["large"].view()[-1] == 3


class Odd(StepResult):
    """What a foreign runner may make of a result."""


@dataclass(frozen=True, slots=True)
class Named:
    name: str


@pytest.mark.parametrize(
    "outcome",
    [
        Completed(tuple(StepResult(step, 0) for step in STEPS), 32, {"cycles": np.float32(2.5), "core": "v220"}),
        Completed((StepResult(STEPS[1], None, "no executor"),)),
        Completed((StepResult(Step(Action.MOVE), 0),)),
        Completed((Odd(STEPS[0], 0),)),
        Completed([StepResult(STEPS[0], 0)]),
        Completed(None),
        Completed([Named("strange")]),
        Rejected(Phase.RUN, 361001, "no", (StepResult(STEPS[0], 0), StepResult(STEPS[1], 361001, "no"))),
        Rejected("run", 361001, "no"),
        Unsupported("not today"),
        Broken("no luck"),
        None,
        "an answer",
    ],
    ids=repr,
)
def test_an_outcome_arrives_as_it_was_whatever_a_runner_made_of_it(outcome):
    arrived = unpack_outcome(sent(pack_outcome(outcome, STEPS)), STEPS)
    assert repr(arrived) == repr(outcome)
    assert arrived == outcome


def test_without_a_folder_in_memory_the_file_lies_in_the_usual_one(monkeypatch, tmp_path):
    monkeypatch.setattr(exchange, "_IN_MEMORY", tmp_path / "none")
    file = SharedFile()
    file.bytes(0, 3)[:] = [1, 2, 3]
    assert file.bytes(0, 3).tolist() == [1, 2, 3]
    file.close()
