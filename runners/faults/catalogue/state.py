"""Faults that need more than one call: caches, poison, pools, order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from conformance.call import Action, Call
from conformance.outcome import Completed, Outcome, Rejected, StepResult
from conformance.status import CODES
from conformance.tensor import FILL_BYTE, SECOND_FILL_BYTE, Array
from runners.faults.catalogue.stale import shapes_of
from runners.faults.contracts import refused
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.views import tensors_read
from runners.faults.where import declares, only_writes
from runners.simulator.runner import SimulatorRunner

_fault = partial(Fault, FaultClass.STATE, stateful=True)


def _runs(call: Call) -> int:
    return sum(step.action is Action.RUN and not step.nulls for step in call.steps)


def _has_elements(call: Call) -> bool:
    return all(tensor.numel for written in (False, True) for _, tensor in call.tensors(written=written))


class CountOfPrevious(SimulatorRunner):
    """Only as many elements are written as the first output of the call before had."""

    def __init__(self) -> None:
        super().__init__()
        self._count: int | None = None

    def run(self, call: Call) -> Outcome:
        """Run honestly and take back what is beyond the count."""
        before = {name: t.array() if t.dtype.numpy is not None else None for name, t in call.tensors(written=True)}
        outcome = super().run(call)
        for name, tensor in call.tensors(written=True):
            old = before[name]
            if self._count is not None and old is not None and tensor.numel > self._count:
                flat = tensor.array().reshape(-1)
                flat[self._count :] = old.reshape(-1)[self._count :]
                tensor.view()[...] = flat.reshape(tensor.shape)
        if isinstance(outcome, Completed):
            self._count = max(t.numel for _, t in call.tensors(written=True)) or None
        return outcome


class Late(SimulatorRunner):
    """Results arrive one call late, where shape and type are the same; otherwise rubbish does."""

    def __init__(self) -> None:
        super().__init__()
        self._results: dict[object, list[Array]] = {}

    def run(self, call: Call) -> Outcome:
        """Deliver what the call before computed."""
        outcome = super().run(call)
        if not isinstance(outcome, Completed) or not _runs(call):
            return outcome
        outputs = [tensor for _, tensor in call.tensors(written=True)]
        new = [tensor.array() for tensor in outputs]
        for tensor, values in zip(outputs, self._results.get(shapes_of(call), new), strict=True):
            tensor.view()[...] = values
        self._results[shapes_of(call)] = new
        return outcome


class Poisoned(SimulatorRunner):
    """Once ``poisons`` has said so of a call, the next one is refused."""

    def __init__(self, poisons: Callable[[Call, Outcome], bool]) -> None:
        super().__init__()
        self._poisons = poisons
        self._poisoned = False

    def run(self, call: Call) -> Outcome:
        """Run honestly unless the call before left poison."""
        if self._poisoned:
            self._poisoned = False
            return refused(call, CODES["INNER_NULLPTR"], "left over from an earlier call")
        outcome = super().run(call)
        self._poisoned = self._poisons(call, outcome)
        return outcome


class Pool(SimulatorRunner):
    """Executors that were asked for and never run stay in a pool of 128; then phase 1 fails."""

    def __init__(self) -> None:
        super().__init__()
        self._left = 128

    def run(self, call: Call) -> Outcome:
        """Run honestly while there are executors."""
        outcome = super().run(call)
        asked = sum(step.action is Action.WORKSPACE and not step.nulls for step in call.steps)
        if isinstance(outcome, Completed):
            self._left -= max(0, asked - _runs(call))
        return outcome if self._left > 0 else refused(call, CODES["INNER_CREATE_EXECUTOR"], "no executor is left")


def _held(call: Call) -> dict[str, Array]:
    """What every tensor that is read and written holds."""
    return {name: tensor.view_bytes().copy() for name, tensor in call.updated() if tensor.numel}


def _restore(call: Call, held: Mapping[str, Array]) -> None:
    for name, tensor in call.updated():
        if name in held:
            tensor.view_bytes()[...] = held[name]


class Spoiling(SimulatorRunner):
    """Outputs of calls for which ``spoils`` holds, given the number of calls so far, are as if not written."""

    def __init__(self, spoils: Callable[[Call, int], bool], byte: int = SECOND_FILL_BYTE) -> None:
        super().__init__()
        self._spoils, self._byte, self._count = spoils, byte, 0

    def run(self, call: Call) -> Outcome:
        """Run honestly, then spoil; a tensor that is read as well gets back what it held."""
        before = _held(call)
        outcome = super().run(call)
        if isinstance(outcome, Completed) and _runs(call) and _has_elements(call):
            self._count += 1
            if self._spoils(call, self._count):
                call.refill_outputs(self._byte)
                _restore(call, before)
        return outcome


class EmptyMakesEmpty(SimulatorRunner):
    """After a call with empty tensors the next one does nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._was_empty = False

    def run(self, call: Call) -> Outcome:
        """Run honestly, then undo it after an empty call."""
        before = _held(call)
        outcome = super().run(call)
        if self._was_empty and isinstance(outcome, Completed):
            call.refill_outputs(FILL_BYTE)
            _restore(call, before)
        self._was_empty = not all(tensor.numel for tensor in tensors_read(call).values())
        return outcome


class Statuses(SimulatorRunner):
    """Steps after the first one that ``sticks`` return its status too."""

    def __init__(self, sticks: Callable[[StepResult], bool]) -> None:
        super().__init__()
        self._sticks = sticks

    def run(self, call: Call) -> Outcome:
        """Run honestly and repeat the status."""
        outcome = super().run(call)
        if not isinstance(outcome, Completed | Rejected):
            return outcome
        results = list(outcome.results)
        at = next((i for i, result in enumerate(results) if self._sticks(result)), len(results))
        for i in range(at + 1, len(results)):
            results[i] = replace(results[i], status=results[at].status, message=results[at].message)
        return replace(outcome, results=tuple(results))


class GrowingWorkspace(SimulatorRunner):
    """Phase 1 asks for the largest workspace that any call needed."""

    def __init__(self) -> None:
        super().__init__()
        self._largest = 0

    def run(self, call: Call) -> Outcome:
        """Run honestly and report the largest size so far."""
        outcome = super().run(call)
        if not isinstance(outcome, Completed) or outcome.workspace_bytes is None:
            return outcome
        self._largest = max(self._largest, outcome.workspace_bytes)
        return replace(outcome, workspace_bytes=self._largest)


def _is_repeatable(call: Call, count: int) -> bool:
    return _runs(call) > 1 and any(step.action is Action.REPEATABLE for step in call.steps)


def _is_second(call: Call, count: int) -> bool:
    return _runs(call) > 1 and not _is_repeatable(call, count)


def _null_executor(call: Call, outcome: Outcome) -> bool:
    return any("executor" in step.nulls and step.action is Action.RUN for step in call.steps)


FAULTS = (
    _fault(
        "count_of_the_previous_call", MEDIUM, "no more elements are written than the call before wrote",
        "opbase@0f14bd1", CountOfPrevious,
    ),
    _fault(
        "results_one_call_late", HARD, "a call of the same shapes and types delivers the results of the one before",
        OURS, Late,
    ),
    _fault(
        "poisoned_by_a_refusal", MEDIUM, "after a refusal the next call fails with 561103", "candle@3b9879f",
        lambda: Poisoned(lambda call, outcome: isinstance(outcome, Rejected)),
    ),
    _fault(
        "poisoned_by_a_null_executor", HARD, "after phase 2 with a null executor the next call fails", OURS,
        lambda: Poisoned(_null_executor),
    ),
    _fault("executors_run_out", HARD, "executors that are never run use up a pool of 128", "candle@3b9879f", Pool),
    _fault(
        "repeatable_runs_once", MEDIUM, "a repeatable executor does nothing the second time", OURS,
        lambda: Spoiling(_is_repeatable), only_writes,
    ),
    _fault(
        "second_call_does_nothing", MEDIUM, "the second whole call with the same arguments does nothing",
        "candle known issues", lambda: Spoiling(_is_second), only_writes,
    ),
    _fault(
        "first_call_does_nothing", MEDIUM, "the first call of a process does nothing", OURS,
        lambda: Spoiling(lambda call, count: count == 1),
    ),
    _fault(
        "every_hundredth_call_fails", MEDIUM, "every hundredth call writes rubbish", "candle known issues",
        lambda: Spoiling(lambda call, count: count % 100 == 0),
    ),
    _fault(
        "empty_makes_the_next_empty", MEDIUM, "after an empty call the next one does nothing", OURS, EmptyMakesEmpty,
        declares("empty/*"),
    ),
    _fault(
        "refusal_sticks", EASY, "after a refused phase 1 every later phase of the call is refused", OURS,
        lambda: Statuses(lambda result: result.step.action is Action.WORKSPACE and result.status not in (0, None)),
    ),
    _fault(
        "null_executor_sticks", MEDIUM, "after phase 2 with a null executor every later phase of the call is refused",
        OURS, lambda: Statuses(lambda result: result.step.action is Action.RUN and result.status not in (0, None)),
    ),
    _fault(
        "workspace_never_shrinks", MEDIUM, "phase 1 asks for the largest workspace that any call needed",
        "opbase@8c9af95", GrowingWorkspace, declares("empty/*"),
    ),
)  # fmt: skip
"""Faults of this class."""
