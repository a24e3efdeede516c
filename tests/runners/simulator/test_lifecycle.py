"""What an executor may do, and how often."""

import pytest

from conformance.call import Action, Step, describe_steps
from runners.simulator.host_checks import Refusal
from runners.simulator.lifecycle import Lifecycle

PHASE_1, RUN, REPEATABLE = Step(Action.WORKSPACE), Step(Action.RUN), Step(Action.REPEATABLE)
MOVE = Step(Action.MOVE)
NULL_WORKSPACE = Step(Action.RUN, frozenset({"workspace"}))
NULL_EXECUTOR = Step(Action.RUN, frozenset({"executor"}))
BAD_PHASE_1 = Step(Action.WORKSPACE, frozenset({"self"}))


class CountingJob:
    def __init__(self, workspace_bytes: int, answer: Refusal | None = None) -> None:
        self.workspace_bytes = workspace_bytes
        self.answer = answer
        self.runs = 0

    def run(self) -> Refusal | None:
        self.runs += 1
        return self.answer


def statuses(steps, job):
    lifecycle = Lifecycle("aclnnX", lambda nulls: Refusal(161001, "null") if "self" in nulls else job, lambda: None)
    return [lifecycle.take(step).status for step in steps]


@pytest.mark.parametrize(
    ("steps", "expected", "runs"),
    [
        ([PHASE_1, RUN], [0, 0], 1),
        ([PHASE_1, RUN, RUN], [0, 0, 161001], 1),
        ([PHASE_1, REPEATABLE, RUN, RUN, RUN], [0, 0, 0, 0, 0], 3),
        ([PHASE_1, RUN, REPEATABLE], [0, 0, 561000], 1),
        ([PHASE_1, NULL_EXECUTOR, RUN], [0, 161001, 0], 1),
        ([PHASE_1, NULL_WORKSPACE, RUN], [0, 161001, 161001], 0),
        ([PHASE_1, REPEATABLE, NULL_WORKSPACE, RUN], [0, 0, 161001, 161001], 0),
        ([PHASE_1, RUN, PHASE_1, RUN], [0, 0, 0, 0], 2),
        ([RUN], [None], 0),
        ([REPEATABLE], [None], 0),
        ([BAD_PHASE_1, RUN], [161001, None], 0),
        ([PHASE_1, BAD_PHASE_1, RUN], [0, 161001, None], 0),
        ([PHASE_1, Step(Action.REFILL), RUN], [0, 0, 0], 1),
        ([PHASE_1, REPEATABLE, RUN, MOVE, RUN], [0, 0, 0, 0, 0], 2),
        ([PHASE_1, MOVE, RUN], [0, 561000, 0], 1),
        ([PHASE_1, RUN, MOVE], [0, 0, 561000], 1),
        ([MOVE], [None], 0),
        ([PHASE_1, Step(Action.RUN, stream=1, short=True)], [0, 0], 1),
        ([PHASE_1] * 200 + [RUN], [0] * 201, 1),
    ],
    ids=lambda value: describe_steps(value) if isinstance(value, list) and isinstance(value[0], Step) else None,
)
def test_steps_give_these_statuses_and_so_many_runs(steps, expected, runs):
    job = CountingJob(512)
    assert statuses(steps, job) == expected
    assert job.runs == runs


def test_null_workspace_is_fine_when_none_is_needed():
    assert statuses([PHASE_1, NULL_WORKSPACE], CountingJob(0)) == [0, 0]


def test_a_run_that_fails_gives_its_status_and_consumes_the_executor():
    assert statuses([PHASE_1, RUN, RUN], CountingJob(0, Refusal(561000, "kernel"))) == [0, 561000, 161001]


def test_refill_is_asked_of_the_caller_and_nothing_runs():
    filled = []
    lifecycle = Lifecycle("aclnnX", lambda nulls: CountingJob(0), lambda: filled.append(1))
    lifecycle.take(Step(Action.REFILL))
    assert filled == [1]


def test_messages_name_function_and_reason():
    lifecycle = Lifecycle("aclnnX", lambda nulls: CountingJob(0), lambda: None)
    assert lifecycle.take(NULL_EXECUTOR).message == "EZ1001: executor is null (aclnnX)"
    assert lifecycle.take(RUN).message == "not run: no executor"


def test_the_workspace_size_is_that_of_the_last_successful_phase_1():
    lifecycle = Lifecycle("aclnnX", lambda nulls: Refusal(161001, "") if nulls else CountingJob(1024), lambda: None)
    assert lifecycle.workspace_bytes is None
    lifecycle.take(PHASE_1)
    lifecycle.take(BAD_PHASE_1)
    assert lifecycle.workspace_bytes == 1024
