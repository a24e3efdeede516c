"""Ways to build a simulator whose host checks are wrong: other contracts, other answers to the same calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from msgspec import structs

from conformance.call import Action, Call, Step
from conformance.constraint import EmptyExit
from conformance.contract import Constraint, Contract
from conformance.load import load_contracts
from conformance.outcome import Completed, Outcome, Phase, Rejected, StepResult, outcome_of
from conformance.rule_kinds import kind_of
from conformance.status import CODES, SUCCESS
from runners.faults.kernels import Build
from runners.simulator.runner import SimulatorRunner

Rewrite = Callable[[list[Constraint]], list[Constraint]]
Amend = Callable[[Call, StepResult], StepResult]
"""A call and the honest result of one step → what the fault answers."""


def checking(rewrite: Rewrite) -> Build:
    """Host checks of rewritten contracts."""

    def build() -> SimulatorRunner:
        contracts = {api: _rewritten(contract, rewrite) for api, contract in load_contracts().items()}
        return SimulatorRunner(contracts=contracts)

    return build


def _rewritten(contract: Contract, rewrite: Rewrite) -> Contract:
    return replace(contract, constraints=tuple(rewrite(list(contract.constraints))))


def without(*kinds: str) -> Build:
    """Constraints of these kinds are not checked."""
    return checking(lambda constraints: [one for one in constraints if kind_of(one.rule) not in kinds])


def giving(status: int, kinds: Iterable[str] | None = None, instead_of: int | None = None) -> Build:
    """Broken constraints of these kinds (of all by default) give another status, where theirs is ``instead_of``."""
    chosen = None if kinds is None else frozenset(kinds)

    def changed(one: Constraint) -> Constraint:
        hit = (chosen is None or kind_of(one.rule) in chosen) and instead_of in (None, one.status)
        return replace(one, status=status) if hit and one.status != SUCCESS else one

    return checking(lambda constraints: [changed(one) for one in constraints])


def empty_exit_first(constraints: list[Constraint]) -> list[Constraint]:
    """The empty exit before everything else."""
    return sorted(constraints, key=lambda one: not isinstance(one.rule, EmptyExit))


def empty_exit_after(*kinds: str) -> Rewrite:
    """The empty exit right after the last constraint of these kinds."""

    def rewrite(constraints: list[Constraint]) -> list[Constraint]:
        exits = [one for one in constraints if isinstance(one.rule, EmptyExit)]
        rest = [one for one in constraints if not isinstance(one.rule, EmptyExit)]
        at = max((i for i, one in enumerate(rest) if kind_of(one.rule) in kinds), default=-1) + 1
        return [*rest[:at], *exits, *rest[at:]]

    return rewrite


def null_pointers_last(constraints: list[Constraint]) -> list[Constraint]:
    """Null pointers looked at after everything else."""
    return sorted(constraints, key=lambda one: kind_of(one.rule) == "not_null")


def refused(call: Call, status: int, message: str) -> Rejected:
    """Every phase 1 of the call is refused, and nothing is run."""
    results = tuple(
        StepResult(step, status, message) if step.action is Action.WORKSPACE else StepResult(step, None)
        for step in call.steps
    )
    return Rejected(Phase.WORKSPACE, status, message, results)


class Answering(SimulatorRunner):
    """Every step's result is amended; the outcome follows from the amended results."""

    def __init__(self, amend: Amend) -> None:
        super().__init__()
        self._amend = amend

    def run(self, call: Call) -> Outcome:
        """Run honestly, answer otherwise."""
        outcome = super().run(call)
        if not isinstance(outcome, Completed | Rejected):
            return outcome
        results = [self._amend(call, result) for result in outcome.results]
        size = outcome.workspace_bytes if isinstance(outcome, Completed) else None
        return outcome_of(results, size)


class Refusing(SimulatorRunner):
    """Legal calls for which ``refuses`` holds are refused in phase 1."""

    def __init__(self, refuses: Callable[[Call], bool], status: str = "PARAM_INVALID") -> None:
        super().__init__()
        self._refuses, self._status = refuses, CODES[status]

    def run(self, call: Call) -> Outcome:
        """Refuse or run honestly."""
        if self._refuses(call):
            return refused(call, self._status, "EZ1001: not supported")
        return super().run(call)


class TooLate(SimulatorRunner):
    """Refusals of phase 1 come in phase 2."""

    def run(self, call: Call) -> Outcome:
        """Run honestly, answer later."""
        outcome = super().run(call)
        if isinstance(outcome, Rejected) and outcome.phase is Phase.WORKSPACE:
            first, run = StepResult(Step(Action.WORKSPACE), SUCCESS), StepResult(Step(Action.RUN), outcome.status)
            return structs.replace(
                outcome, phase=Phase.RUN, results=(first, structs.replace(run, message=outcome.message))
            )
        return outcome


class Workspace(SimulatorRunner):
    """Phase 1 asks for another workspace than it should."""

    def __init__(self, size: Callable[[int], int]) -> None:
        super().__init__()
        self._size = size

    def run(self, call: Call) -> Outcome:
        """Run honestly and report another size."""
        outcome = super().run(call)
        if isinstance(outcome, Completed) and outcome.workspace_bytes is not None:
            return structs.replace(outcome, workspace_bytes=self._size(outcome.workspace_bytes))
        return outcome
