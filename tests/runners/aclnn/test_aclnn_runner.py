"""The runner on a fake CANN in this process: what it says, answers, passes and gives back."""

import ctypes

import numpy as np
import pytest
from msgspec import structs

from conformance.call import Action, Attribute, Call, Scalar, Step
from conformance.dtype import DTYPES
from conformance.guard import MemoryRule, Snapshot
from conformance.outcome import Broken, Completed, Phase, Rejected, TimedOut, Unsupported
from conformance.product import PRODUCTS
from conformance.runner import Runner
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import FILL_BYTE, SECOND_FILL_BYTE, Format, Memory, Tensor, new_tensor
from runners.aclnn.runner import AclnnRunner

A2 = PRODUCTS["ascend910b"]
WORKSPACE, RUN = Step(Action.WORKSPACE), Step(Action.RUN)
REPEATABLE, REFILL, MOVE = Step(Action.REPEATABLE), Step(Action.REFILL), Step(Action.MOVE)
FP32 = DTYPES["float32"]


@pytest.fixture(scope="module")
def runner(fake_cann):
    return AclnnRunner(str(fake_cann))


@pytest.fixture
def live(runner, fake_cann):
    """Number of objects that the fake has made and not got back."""
    runner.describe()
    return ctypes.CDLL(str(fake_cann / "lib64" / "libacl_rt.so")).fake_live_count


def null(action, *names):
    return Step(action, frozenset(names))


def test_it_is_a_runner_that_loads_nothing_by_itself():
    assert isinstance(AclnnRunner("/no/such/path"), Runner)


def test_it_describes_chip_interface_libraries_and_who_provides_what(runner, fake_cann):
    facts = runner.describe().facts
    folder = fake_cann / "lib64"
    assert (facts["soc"], facts["device"], facts["acl"]) == ("Ascend910B3", "0", "1.17.0")
    assert facts[f"library {folder / 'libacl_rt.so'}"].startswith("sha256 ")
    assert "aclrtMalloc" in facts[f"symbols of {folder / 'libacl_rt.so'}"].split()
    assert "aclCreateTensor" in facts[f"symbols of {folder / 'libnnopbase.so'}"].split()


@pytest.mark.parametrize(
    ("api", "product", "reason"),
    [
        ("aclnnDouble", "ascend950", "the device is Ascend910B3, product ascend910b, not ascend950"),
        ("aclnnNothing", "ascend910b", "no function aclnnNothingGetWorkspaceSize in "),
        ("aclnnHalfThere", "ascend910b", "no function aclnnHalfThere in "),
    ],
)
def test_it_supports_what_the_device_is_and_the_libraries_have(runner, unary, api, product, reason):
    assert runner.supports("aclnnDouble", A2) is None
    assert runner.supports(api, PRODUCTS[product]).startswith(reason)


def test_a_call_of_an_api_that_is_missing_is_unsupported(runner, unary):
    assert isinstance(runner.run(unary("aclnnNothing")), Unsupported)


def test_a_good_call_completes_with_output_and_times(runner, unary):
    call = unary("aclnnDouble")
    outcome = runner.run(call)
    assert isinstance(outcome, Completed)
    assert outcome.workspace_bytes == 0
    assert outcome.facts["device_ms"] == 0.25
    assert min(outcome.facts["seconds_workspace"], outcome.facts["seconds_run"]) > 0
    assert call.arguments["out"].array().tolist() == [2, 4, 6]


def test_strides_and_offsets_reach_the_operator(runner, unary):
    x = Tensor(FP32, (2, 3), (1, 2), 3, (9,), Format.ND, Memory(36))
    x.view()[...] = [[1, 2, 3], [4, 5, 6]]
    call = unary("aclnnDouble", x=x, out=new_tensor(FP32, (2, 3)))
    runner.run(call)
    assert call.arguments["out"].array().tolist() == [[2, 4, 6], [8, 10, 12]]


def test_tensors_of_one_memory_are_one_buffer_on_the_device(runner, unary):
    x = new_tensor(FP32, (3,))
    x.view()[...] = [1, 2, 3]
    runner.run(unary("aclnnDouble", x=x, out=x))
    assert x.array().tolist() == [2, 4, 6]


def test_the_workspace_has_the_asked_size_and_comes_back(runner, unary):
    call = unary("aclnnHalve")
    assert runner.run(call).workspace_bytes == 96
    assert [len(workspace.payload) for workspace in call.workspaces] == [96]
    assert (call.workspaces[0].payload == 0).all()


@pytest.mark.parametrize(
    ("api", "rule", "where"),
    [
        ("aclnnOverrun", MemoryRule.GUARD, "out"),
        ("aclnnOverrunWorkspace", MemoryRule.GUARD, "workspace"),
        ("aclnnWriteInput", MemoryRule.INPUT, "self"),
    ],
)
def test_writes_where_nothing_may_be_written_are_seen(runner, unary, api, rule, where):
    call = unary(api)
    before = Snapshot(call)
    runner.run(call)
    assert [(fault.rule, fault.where) for fault in before.faults()] == [(rule, where)]


@pytest.mark.parametrize(
    ("api", "steps", "phase", "status", "message"),
    [
        ("aclnnRefuse", [WORKSPACE, RUN], Phase.WORKSPACE, 161002, "EZ1001: not today"),
        ("aclnnRefuseToRun", [WORKSPACE, RUN], Phase.RUN, 561003, "EZ9999: no kernel"),
        ("aclnnDouble", [null(Action.WORKSPACE, "self")], Phase.WORKSPACE, 161001, "EZ1001: a pointer is null"),
        ("aclnnDouble", [null(Action.WORKSPACE, "executor")], Phase.WORKSPACE, 161001, "EZ1001: a pointer is null"),
        ("aclnnDouble", [WORKSPACE, null(Action.RUN, "executor")], Phase.RUN, 161001, "EZ1001: executor is null"),
        ("aclnnHalve", [WORKSPACE, null(Action.RUN, "workspace")], Phase.RUN, 161001, "EZ1001: workspace does not fit"),
    ],
)
def test_a_refusal_has_phase_status_and_cann_s_own_text(runner, unary, live, api, steps, phase, status, message):
    before = live()
    call = unary(api, steps=steps)
    outcome = runner.run(call)
    assert isinstance(outcome, Rejected)
    assert (outcome.phase, outcome.status, outcome.message) == (phase, status, message)
    assert (call.arguments["out"].memory.payload == FILL_BYTE).all()
    assert live() == before


def test_a_step_without_executor_is_not_run(runner, unary):
    outcome = runner.run(unary("aclnnRefuse", steps=[WORKSPACE, REPEATABLE, RUN, WORKSPACE]))
    assert [result.status for result in outcome.results] == [161002, None, None, 161002]


def test_a_workspace_that_nothing_can_hold_is_the_implementation_s_failure(runner, unary):
    outcome = runner.run(unary("aclnnHungry"))
    assert (outcome.phase, outcome.status) == (Phase.RUN, 207001)
    assert outcome.message.startswith("no room for a workspace of 4611686018427387904 bytes, which phase 1 asks for")


@pytest.mark.parametrize(
    "steps",
    [
        [WORKSPACE, RUN],
        [WORKSPACE, WORKSPACE, RUN],
        [WORKSPACE, REPEATABLE],
        [WORKSPACE, REPEATABLE, RUN, REFILL, RUN],
        [WORKSPACE, null(Action.RUN, "executor"), RUN],
    ],
)
def test_everything_is_given_back_whatever_became_of_the_executor(runner, unary, live, steps):
    before = live()
    runner.run(unary("aclnnHalve", steps=steps))
    assert live() == before


def test_a_refill_reaches_the_device(runner, unary):
    call = unary("aclnnDouble", steps=[WORKSPACE, RUN, REFILL])
    runner.run(call)
    assert (call.arguments["out"].memory.payload == SECOND_FILL_BYTE).all()


def test_a_repeatable_executor_computes_again_after_a_refill(runner, unary):
    call = unary("aclnnDouble", steps=[WORKSPACE, REPEATABLE, RUN, REFILL, RUN])
    assert isinstance(runner.run(call), Completed)
    assert call.arguments["out"].array().tolist() == [2, 4, 6]


def test_tensors_move_and_the_repeatable_executor_is_told(runner, unary, live):
    before = live()
    call = unary("aclnnDouble", steps=[WORKSPACE, REPEATABLE, RUN, REFILL, MOVE, RUN])
    assert [result.status for result in runner.run(call).results] == [0] * 6
    assert call.arguments["out"].array().tolist() == [2, 4, 6]
    assert call.arguments["self"].array().tolist() == [1, 2, 3]
    assert live() == before


def test_a_move_that_the_executor_refuses_or_that_has_none(runner, unary):
    refused = runner.run(unary("aclnnDouble", steps=[WORKSPACE, MOVE]))
    assert (refused.phase, refused.status) == (Phase.WORKSPACE, 561000)
    assert runner.run(unary("aclnnDouble", steps=[MOVE])).results[0].status is None


def test_a_second_stream_is_made_once_and_lost_with_the_device(runner, unary, fake_cann):
    runner.describe()
    streams = ctypes.CDLL(str(fake_cann / "lib64" / "libacl_rt.so")).fake_stream_count
    on_second = [WORKSPACE, RUN, REFILL, WORKSPACE, Step(Action.RUN, stream=1)]
    for _ in range(2):
        call = unary("aclnnDouble", steps=on_second)
        assert isinstance(runner.run(call), Completed)
        assert call.arguments["out"].array().tolist() == [2, 4, 6]
        assert streams() == 2
    runner.run(unary("aclnnFailLater"))
    assert streams() == 1


def test_a_workspace_declared_too_small_is_there_in_full(runner, unary):
    call = unary("aclnnHalve", steps=[WORKSPACE, Step(Action.RUN, short=True)])
    outcome = runner.run(call)
    assert (outcome.status, outcome.message) == (161002, "EZ1001: workspace does not fit")
    assert [len(workspace.payload) for workspace in call.workspaces] == [96]


def test_a_tensor_list_cannot_be_told_to_move(runner):
    call, _ = types_call()
    call = structs.replace(call, steps=(WORKSPACE, REPEATABLE, MOVE))
    assert runner.run(call) == Unsupported("list is a tensor list, whose members cannot be told to move")


def test_an_error_that_comes_late_names_itself_and_the_device_is_taken_again(runner, unary):
    outcome = runner.run(unary("aclnnFailLater", steps=[WORKSPACE, RUN, WORKSPACE]))
    assert (outcome.phase, outcome.status) == (Phase.RUN, 507015)
    assert outcome.message == "synchronising the stream returned RT_AICORE_EXCEPTION (507015): EZ9999: lane 7"
    assert outcome.results[-1].status is None
    assert isinstance(runner.run(unary("aclnnDouble")), Completed)


def test_a_stream_that_does_not_end_is_a_time_out_and_the_device_is_taken_again(runner, unary):
    assert runner.run(unary("aclnnNeverEnd", deadline=7.0)) == TimedOut(7.0)
    assert isinstance(runner.run(unary("aclnnDouble")), Completed)


def test_a_tensor_that_cannot_be_made_is_a_fault_of_the_suite(runner, unary):
    x = Tensor(FP32, (1,) * 9, (1,) * 9, 0, (1,), Format.ND, Memory(4))
    assert runner.run(unary("aclnnDouble", x=x)) == Broken("aclCreateTensor returned null")


KINDS = {  # name: kind, C type, argument, what the operator reads of it
    "a": (ParameterKind.INT32, "int8_t", -7, -7),
    "b": (ParameterKind.INT32, "int32_t", -70000, -70000),
    "c": (ParameterKind.INT64, "int64_t", -(2**40), -(2**40)),
    "d": (ParameterKind.BOOL, "bool", True, 1),
    "f": (ParameterKind.FLOAT, "float", 0.1, float(np.float32(0.1))),
    "g": (ParameterKind.DOUBLE, "double", 0.1, 0.1),
    "text": (ParameterKind.STRING, "char*", "AB", ord("B")),
    "ints": (ParameterKind.INT_ARRAY, "const aclIntArray*", (1, -(2**40)), -(2**40)),
    "floats": (ParameterKind.FLOAT_ARRAY, "const aclFloatArray*", (1.0, 0.1), float(np.float32(0.1))),
    "bools": (ParameterKind.BOOL_ARRAY, "const aclBoolArray*", (False, True), 1),
}


def types_call():
    """A call with every kind of parameter, and what its operator must have read."""
    parameters = [Parameter(n, kind, Role.INPUT, ctype) for n, (kind, ctype, _, _) in KINDS.items()]
    parameters += [
        Parameter("scalar", ParameterKind.SCALAR, Role.INPUT, "const aclScalar*"),
        Parameter("list", ParameterKind.TENSOR_LIST, Role.INPUT, "const aclTensorList*"),
        Parameter("out", ParameterKind.TENSOR, Role.OUTPUT, "aclTensor*"),
    ]
    x = new_tensor(FP32, (1,))
    x.view()[...] = 0.25
    arguments = {name: Attribute(kind, value) for name, (kind, _, value, _) in KINDS.items()}
    arguments |= {"scalar": Scalar(FP32, 0.5), "list": (x, x), "out": new_tensor(DTYPES["float64"], (13,))}
    return Call("aclnnTypes", A2, tuple(parameters), arguments), [row[-1] for row in KINDS.values()] + [0.5, 2, 0.25]


def test_every_kind_of_parameter_arrives_as_it_is(runner, live):
    before = live()
    call, expected = types_call()
    assert isinstance(runner.run(call), Completed)
    assert call.arguments["out"].array().tolist() == expected
    assert live() == before
