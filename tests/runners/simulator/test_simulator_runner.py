"""The runner over small contracts: refusals, outputs, workspaces, replaced parts."""

import numpy as np
import pytest

from conformance.call import Action, Step
from conformance.constraint import EmptyExit
from conformance.contract import Basis, Constraint
from conformance.dtype import DTYPES
from conformance.dtype_rules import DTypeIn, DTypeLists
from conformance.outcome import Completed, Phase, Rejected, Unsupported
from conformance.product import PRODUCTS
from conformance.runner import Runner
from conformance.signature import Role
from conformance.tensor import FILL_BYTE, new_tensor
from runners.simulator.kernel import Kernel
from runners.simulator.runner import SimulatorRunner
from runners.simulator.tiling import PLANS, Plan

FP32 = DTYPES["float32"]
ONE_TWO = np.array([[1, 2], [-1, -2]], np.float32)


class NotNull:
    """Rule of the tests: no argument is null."""

    def check(self, facts, product):
        null = [name for name, fact in facts.items() if fact is None]
        return f"{null[0]}: null pointer" if null else None

    def violations(self, facts, product):
        return iter(())


class Never:
    """Rule of the tests: nothing is legal."""

    def check(self, facts, product):
        return "nothing is legal"

    def violations(self, facts, product):
        return iter(())


NULLS = Constraint("c1", "no null pointers", NotNull(), 161001)
EMPTY = Constraint("c2", "empty self", EmptyExit(("self",)), 0)


def silu_call(make, x=None, out=None, **options):
    x = make.tensor(ONE_TWO) if x is None else x
    out = new_tensor(x.dtype, x.shape) if out is None else out
    return make.call("aclnnSilu", {"self": x, "out": out}, {"out"}, **options)


def run(make, call, *constraints, **parts):
    contract = make.contract(call, *(constraints or (NULLS, EMPTY)))
    return SimulatorRunner(contracts={call.api: contract}, **parts).run(call)


def test_it_is_a_runner_that_needs_no_arguments():
    runner = SimulatorRunner()
    assert isinstance(runner, Runner)


def test_a_legal_call_completes_and_writes_its_output(make):
    call = silu_call(make)
    assert isinstance(run(make, call), Completed)
    np.testing.assert_allclose(call.arguments["out"].array(), ONE_TWO / (1 + np.exp(-ONE_TWO)), rtol=1e-6)


@pytest.mark.parametrize("name", ["self", "out", "workspaceSize", "executor"])
def test_a_null_pointer_is_refused_in_phase_1_and_outputs_stay_untouched(make, name):
    call = silu_call(make, steps=[Step(Action.WORKSPACE, frozenset({name})), Step(Action.RUN)])
    outcome = run(make, call)
    assert outcome.phase is Phase.WORKSPACE
    assert outcome.status == 161001
    assert outcome.message == f"EZ1001: {name}: null pointer (aclnnSiluGetWorkspaceSize)"
    assert (call.arguments["out"].memory.payload == FILL_BYTE).all()


def test_phase_1_alone_writes_no_output(make):
    call = silu_call(make, steps=[Step(Action.WORKSPACE)])
    run(make, call)
    assert (call.arguments["out"].memory.payload == FILL_BYTE).all()


def test_constraints_that_only_the_document_states_are_not_enforced(make):
    call = silu_call(make)
    assert isinstance(run(make, call, Constraint("d", "", Never(), 161002, Basis.DOCUMENT)), Completed)
    assert run(make, call, Constraint("i", "", Never(), 161002, Basis.IMPLEMENTATION)).status == 161002


def test_an_empty_call_needs_no_workspace_and_runs_nothing(make):
    call = silu_call(make, make.tensor(np.zeros((0, 3), np.float32)), make.tensor(np.ones((4,), np.float32)))
    outcome = run(make, call)
    assert outcome.workspace_bytes == 0
    assert call.arguments["out"].array().tolist() == [1, 1, 1, 1]


def test_strided_tensors_go_through_the_workspace(make):
    call = silu_call(make, make.every_second(ONE_TWO), make.every_second(np.zeros_like(ONE_TWO)))
    outcome = run(make, call)
    assert outcome.workspace_bytes == 2 * 512
    assert [len(memory.payload) for memory in call.workspaces] == [1024]
    assert call.workspaces[0].payload[:16].view(np.float32).tolist() == ONE_TWO.reshape(-1).tolist()
    assert call.workspaces[0].guard_fault() is None
    np.testing.assert_allclose(call.arguments["out"].array(), ONE_TWO / (1 + np.exp(-ONE_TWO)), rtol=1e-6)


def test_an_output_may_be_the_input(make):
    x = make.tensor(ONE_TWO)
    run(make, silu_call(make, x, x))
    np.testing.assert_allclose(x.array(), ONE_TWO / (1 + np.exp(-ONE_TWO)), rtol=1e-6)


def test_a_repeatable_executor_reads_its_inputs_at_every_run(make):
    steps = [Step(action) for action in (Action.WORKSPACE, Action.REPEATABLE, Action.RUN, Action.REFILL, Action.RUN)]
    call = silu_call(make, steps=steps)
    outcome = run(make, call)
    assert [result.status for result in outcome.results] == [0] * 5
    np.testing.assert_allclose(call.arguments["out"].array(), ONE_TWO / (1 + np.exp(-ONE_TWO)), rtol=1e-6)


def test_the_update_of_prelu_backward_lies_in_the_workspace(make):
    x, weight = make.tensor(ONE_TWO), make.tensor(np.array([0.5], np.float32))
    arguments = {"gradOutput": x, "self": x, "weight": weight, "gradInput": new_tensor(FP32, (2, 2))}
    arguments["gradWeight"] = new_tensor(FP32, (1,))
    call = make.call("aclnnPreluBackward", arguments, {"gradInput", "gradWeight"})
    assert run(make, call).workspace_bytes == 512
    assert call.workspaces[0].payload[:16].view(np.float32).tolist() == [0, 0, 1, 4]
    assert arguments["gradWeight"].array().tolist() == [5]


def test_a_tiled_run_reports_its_plan(make):
    arguments = {name: make.tensor(np.ones(1025, np.float32)) for name in ("gradOutput", "self", "gradInput")}
    call = make.call("aclnnSiluBackward", arguments, {"gradInput"}, product="ascend910b")
    assert run(make, call).facts == {"cores": 2, "tiles": 2, "double_buffer": 0}


def test_a_plan_that_forgets_its_last_core_leaves_the_output_unwritten_there(make):
    def forgetful(n, dtype, product):
        plan = PLANS["SiluGrad"](n, dtype, product)
        last = plan.tile_elements, plan.lane_step, plan.double_buffer
        return Plan(plan.operator, n, dtype, plan.cores[:-1], *last)

    ones = np.ones(1025, np.float32)
    arguments = {
        "gradOutput": make.tensor(ones),
        "self": make.tensor(ones),
        "gradInput": new_tensor(FP32, (1025,)),
    }
    call = make.call("aclnnSiluBackward", arguments, {"gradInput"}, product="ascend910b")
    run(make, call, plans={"SiluGrad": forgetful})
    bytes_written = call.arguments["gradInput"].memory.payload != FILL_BYTE
    assert bytes_written[: 520 * 4].any()
    assert not bytes_written[520 * 4 :].any()


def test_an_output_that_a_kernel_leaves_out_is_not_written(make):
    call = silu_call(make)
    assert isinstance(run(make, call, kernels=lambda contract: Kernel(lambda call: {})), Completed)
    assert (call.arguments["out"].memory.payload == FILL_BYTE).all()


@pytest.mark.parametrize(
    ("compute", "text"),
    [
        (lambda call: 1 // 0, "ZeroDivisionError"),
        (lambda call: {"out": call.inputs["other"]}, "KeyError: 'other'"),
        (lambda call: {"out": np.zeros(3, np.float32)}, "view copy of float32[3] to float32[2, 2]"),
    ],
)
def test_a_kernel_that_fails_is_an_inner_error_of_the_run(make, compute, text):
    outcome = run(make, silu_call(make), kernels=lambda contract: Kernel(compute))
    assert isinstance(outcome, Rejected)
    assert (outcome.phase, outcome.status) == (Phase.RUN, 561000)
    assert text in outcome.message


def test_a_dtype_without_cast_kernel_is_refused_in_phase_1(make):
    call = silu_call(make, out=new_tensor(DTYPES["complex32"], (2, 2)))
    outcome = run(make, call)
    assert (outcome.phase, outcome.status) == (Phase.WORKSPACE, 561103)


def test_a_dtype_that_a_rule_lists_needs_no_cast_and_is_stored_as_codes(make):
    call = silu_call(make, out=new_tensor(DTYPES["hifloat8"], (2, 2)))
    listed = Constraint("c1", "out is hifloat8", DTypeIn(("out",), DTypeLists((DTYPES["hifloat8"],))), 161002)
    kernel = Kernel(lambda kernel_call: {"out": np.full((2, 2), 1.125, np.float32)})
    assert isinstance(run(make, call, listed, kernels=lambda contract: kernel), Completed)
    assert call.arguments["out"].memory.payload.tolist() == [9, 9, 9, 9]


def test_an_optional_tensor_may_be_null(make):
    call = make.call("aclnnX", {"self": make.tensor(ONE_TWO), "mask": None, "out": new_tensor(FP32, (2, 2))}, {"out"})
    seen = []

    def compute(kernel_call):
        seen.append(sorted(kernel_call.inputs))
        return {"out": kernel_call.inputs["self"]}

    assert isinstance(run(make, call, EMPTY, kernels=lambda contract: Kernel(compute)), Completed)
    assert seen == [["self"]]


def test_an_inout_parameter_is_read_and_written(make):
    call = make.call("aclnnX", {"selfRef": make.tensor(ONE_TWO)}, {"selfRef"})
    object.__setattr__(call.parameters[0], "role", Role.INOUT)
    double = Kernel(lambda kernel_call: {"selfRef": kernel_call.inputs["selfRef"] * np.float32(2)})
    run(make, call, EMPTY, kernels=lambda contract: double)
    assert call.arguments["selfRef"].array().tolist() == (2 * ONE_TWO).tolist()


def test_what_is_missing_is_said(make):
    call = silu_call(make)
    contract = make.contract(call)
    unknown = make.contract(make.call("aclnnNoSuchThing", {}, set()))
    runner = SimulatorRunner(contracts={"aclnnSilu": contract, "aclnnNoSuchThing": unknown})
    product = PRODUCTS["ascend950"]
    assert runner.supports("aclnnSilu", product) is None
    assert runner.supports("aclnnNoSuchThing", product) == "no kernel for aclnnNoSuchThing"
    assert runner.supports("aclnnOther", product) == "no contract for aclnnOther"
    assert SimulatorRunner(contracts={}).run(call) == Unsupported("no contract for aclnnSilu")
