"""Calls and outcomes: what a runner gets, and what it can answer."""

import numpy as np
import pytest

from conformance.call import DEFAULT_STEPS, Action, Attribute, Call, Step
from conformance.dtype import DTYPES
from conformance.outcome import (
    Broken,
    Completed,
    Crashed,
    Phase,
    Rejected,
    StepResult,
    TimedOut,
    Unsupported,
    outcome_of,
)
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import FILL_BYTE, SECOND_FILL_BYTE, WORKSPACE_FILL_BYTE, new_tensor

T, L = ParameterKind.TENSOR, ParameterKind.TENSOR_LIST
PARAMETERS = (
    Parameter("x", T, Role.INPUT, "const aclTensor*"),
    Parameter("many", L, Role.INPUT, "const aclTensorList*"),
    Parameter("axis", ParameterKind.INT64, Role.INPUT, "int64_t"),
    Parameter("y", T, Role.OUTPUT, "aclTensor*"),
    Parameter("z", T, Role.INOUT, "aclTensor*"),
)


def make(**changes):
    def tensor(dtype="float32", shape=(2,)):
        return new_tensor(DTYPES[dtype], shape)

    arguments = {"x": tensor(), "many": (tensor(), None, tensor()), "axis": Attribute(ParameterKind.INT64, 0)}
    arguments.update(y=tensor(), z=tensor())
    return Call("aclnnTiny", PRODUCTS["ascend910b"], PARAMETERS, {**arguments, **changes})


def test_tensors_are_named_by_parameter_and_list_index():
    assert [name for name, _ in make().tensors(written=False)] == ["x", "many.0", "many.2"]
    assert [name for name, _ in make(y=None).tensors(written=True)] == ["z"]


def test_a_call_takes_two_steps_unless_it_says_otherwise():
    assert [str(step) for step in DEFAULT_STEPS] == ["workspace", "run"]
    step = Step(Action.WORKSPACE, frozenset({"x"})).with_nulls(frozenset({"executor"}))
    assert str(step) == "workspace with null executor, x"


def test_a_copy_has_its_own_memory_shared_as_it_was():
    shared = new_tensor(DTYPES["float32"], (2,))
    call = make(x=shared, z=shared)
    call.allocate(4)
    other = call.copy()
    assert not other.workspaces
    assert other.arguments["x"].memory is other.arguments["z"].memory
    assert other.arguments["x"].memory.everything.tobytes() == shared.memory.everything.tobytes()
    assert other.arguments["many"][1] is None
    other.arguments["x"].view()[...] = 3
    other.arguments["many"][0].view()[...] = 3
    assert not any((tensor.view() == 3).any() for _, tensor in call.tensors(written=False))


def test_workspaces_are_guarded_and_remembered():
    call = make()
    memory = call.allocate(16)
    assert call.workspaces == [memory]
    assert (memory.payload == WORKSPACE_FILL_BYTE).all()
    assert call.with_deadline(3.0).deadline == 3.0
    assert call.with_deadline(3.0).workspaces is call.workspaces


@pytest.mark.parametrize("dtype", ["float32", "bool", "float8_e5m2", "hifloat8", "int4"])
def test_refilling_overwrites_pure_outputs_alone(dtype):
    call = make(y=new_tensor(DTYPES[dtype], (4,)))
    call.refill_outputs(SECOND_FILL_BYTE)
    assert (call.arguments["y"].memory.payload == SECOND_FILL_BYTE).all()
    assert (call.arguments["z"].memory.payload == FILL_BYTE).all()
    assert (call.arguments["x"].memory.payload == FILL_BYTE).all()


def test_refilling_spares_an_output_that_is_an_input():
    shared = new_tensor(DTYPES["float32"], (2,))
    call = make(x=shared, y=shared)
    call.refill_outputs(0)
    assert (shared.memory.payload == FILL_BYTE).all()
    assert np.isfinite(shared.view()).all()


def results(*statuses):
    steps = (Step(Action.WORKSPACE), Step(Action.RUN), Step(Action.REPEATABLE))
    return [StepResult(step, status, f"m{status}") for step, status in zip(steps, statuses, strict=False)]


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        ((0, 0), "completed"),
        ((161001, None), "rejected at workspace with PARAM_NULLPTR (161001)"),
        ((0, 561000, 0), "rejected at run with INNER (561000)"),
        ((0, 0, 561000), "rejected at workspace with INNER (561000)"),
    ],
)
def test_the_outcome_of_a_protocol_is_that_of_its_first_failing_step(statuses, words):
    outcome = outcome_of(results(*statuses), 32, {"tiles": 2})
    assert str(outcome) == words
    assert len(outcome.results) == len(statuses)


def test_an_outcome_keeps_workspace_facts_and_message():
    completed = outcome_of(results(0, 0), 32, {"tiles": 2})
    assert completed == Completed(tuple(results(0, 0)), 32, {"tiles": 2})
    rejected = outcome_of(results(7))
    assert (rejected.phase, rejected.status, rejected.message) == (Phase.WORKSPACE, 7, "m7")
    assert isinstance(rejected, Rejected)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Crashed(11), "crashed (signal 11)"),
        (Crashed(0, "exit status 3"), "crashed (exit status 3)"),
        (TimedOut(0.5), "timed out after 0.5 s"),
        (Unsupported("no kernel"), "unsupported: no kernel"),
        (Broken("no golden"), "broken: no golden"),
    ],
)
def test_outcomes_in_words(outcome, words):
    assert str(outcome) == words
