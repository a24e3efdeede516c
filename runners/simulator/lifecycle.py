"""The two-phase protocol: what an executor may do, and how often.

A phase 1 that succeeds makes a one-shot executor. A run consumes it, whether it succeeds or fails; a run
refused for a null workspace destroys even a repeatable one; a run refused for a null executor leaves it
alone. What a real implementation does with a consumed executor is undefined: here it is a clear refusal.
The declared workspace size is not looked at, as composite operators do not look at it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from conformance.call import Action, Step
from conformance.outcome import StepResult
from conformance.status import CODES, SUCCESS
from runners.simulator.host_checks import Refusal
from runners.simulator.messages import not_launched


class Job(Protocol):
    """What a successful phase 1 prepares."""

    @property
    def workspace_bytes(self) -> int:
        """Workspace the job needs, in bytes."""
        ...

    def run(self) -> Refusal | None:
        """Do the work once; a refusal when it fails."""
        ...


Prepare = Callable[[frozenset[str]], Job | Refusal]
"""Phase 1: names of pointers passed as null → a job, or why there is none."""


@dataclass(slots=True)
class Executor:
    """A prepared job and how often it may still run."""

    job: Job
    repeatable: bool = False
    alive: bool = True


class Lifecycle:
    """State of one call's protocol: the executor of the last phase 1 and the workspace it asked for."""

    def __init__(self, api: str, prepare: Prepare, refill: Callable[[], None]) -> None:
        self._api = api
        self._prepare = prepare
        self._refill = refill
        self._executor: Executor | None = None
        self.workspace_bytes: int | None = None

    @property
    def may_run(self) -> bool:
        """Whether there is an executor that is not used up."""
        return self._executor is not None and self._executor.alive

    def take(self, step: Step) -> StepResult:
        """Do one step; status None when there is no executor to do it with."""
        if step.action is Action.WORKSPACE:
            return self._workspace(step)
        if step.action is Action.RUN:
            return self._run(step)
        if step.action is Action.REPEATABLE:
            return self._make_repeatable(step)
        if step.action is Action.MOVE:
            return self._move(step)
        self._refill()
        return StepResult(step, SUCCESS)

    def _workspace(self, step: Step) -> StepResult:
        self._executor = None
        answer = self._prepare(step.nulls)
        if isinstance(answer, Refusal):
            return StepResult(step, answer.status, answer.message)
        self._executor = Executor(answer)
        self.workspace_bytes = answer.workspace_bytes
        return StepResult(step, SUCCESS)

    def _make_repeatable(self, step: Step) -> StepResult:
        if self._executor is None:
            return _not_run(step)
        if not self._executor.alive:
            return StepResult(step, CODES["INNER"], not_launched(self._api, "executor was already consumed"))
        self._executor.repeatable = True
        return StepResult(step, SUCCESS)

    def _move(self, step: Step) -> StepResult:
        """Nothing moves: the call's memory is where it is. Only a repeatable executor could be told."""
        executor = self._executor
        if executor is None:
            return _not_run(step)
        if not (executor.alive and executor.repeatable):
            return StepResult(step, CODES["INNER"], not_launched(self._api, "executor is not repeatable"))
        return StepResult(step, SUCCESS)

    def _run(self, step: Step) -> StepResult:
        if "executor" in step.nulls:
            return self._refuse(step, "executor is null")
        executor = self._executor
        if executor is None:
            return _not_run(step)
        if not executor.alive:
            return self._refuse(step, "executor was already consumed; make it repeatable or repeat phase 1")
        size = executor.job.workspace_bytes
        if "workspace" in step.nulls and size > 0:
            executor.alive = False
            return self._refuse(step, f"workspace is null although {size} bytes are needed")
        executor.alive = executor.repeatable
        failure = executor.job.run()
        return StepResult(step, failure.status, failure.message) if failure else StepResult(step, SUCCESS)

    def _refuse(self, step: Step, clause: str) -> StepResult:
        return StepResult(step, CODES["PARAM_NULLPTR"], not_launched(self._api, clause))


def _not_run(step: Step) -> StepResult:
    return StepResult(step, None, "not run: no executor")
