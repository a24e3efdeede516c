"""Faults that need more than one call: caches, poison, pools, order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from conformance.call import Action, Call
from conformance.outcome import Completed, Outcome, Rejected, StepResult
from conformance.status import CODES
from conformance.tensor import FILL_BYTE, SECOND_FILL_BYTE, Array, Tensor
from runners.faults.contracts import refused
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.views import of_values, reread
from runners.faults.where import has_inputs
from runners.simulator.runner import SimulatorRunner

_EMPTY_REFUSED = {"aclnnSeluBackward": "its document refuses empty tensors, its implementation does not"}
_fault = partial(Fault, FaultClass.STATE, stateful=True)


def _shapes(call: Call) -> tuple[object, ...]:
    """What a cache of executors is keyed by: API, shapes and types."""
    tensors = [*call.tensors(written=False), *call.tensors(written=True)]
    return (call.api, *((name, tensor.shape, tensor.dtype.name) for name, tensor in tensors))


def _runs(call: Call) -> int:
    return sum(step.action is Action.RUN and not step.nulls for step in call.steps)


def _has_elements(call: Call) -> bool:
    return all(tensor.numel for written in (False, True) for _, tensor in call.tensors(written=written))


class Remembering(SimulatorRunner):
    """What ``change`` makes of a call and the one remembered under the same key is run instead of it."""

    def __init__(self, change: Callable[[Call, Call], Call], key: Callable[[Call], object] = _shapes) -> None:
        super().__init__()
        self._change, self._key = change, key
        self._first: dict[object, Call] = {}

    def run(self, call: Call) -> Outcome:
        """Run with what the first call of that key left."""
        first = self._first.get(self._key(call))
        outcome = super().run(call if first is None else self._change(call, first))
        if first is None and isinstance(outcome, Completed):
            self._first[self._key(call)] = call
        return outcome


def _layouts(call: Call, first: Call) -> Call:
    old = dict(first.tensors(written=False))
    changed = {name: reread(t, old[name].strides, old[name].offset) for name, t in call.tensors(written=False)}
    return replace(call, arguments={**call.arguments, **changed})


def _scalars(call: Call, first: Call) -> Call:
    old = {name: given for name, given in first.arguments.items() if not isinstance(given, Tensor | tuple) and given}
    return replace(call, arguments={**call.arguments, **old})


def _last_input(call: Call, first: Call) -> Call:
    name = list(dict(call.tensors(written=False)))[-1]
    new, old = call.arguments[name], first.arguments[name]
    if not isinstance(new, Tensor) or not isinstance(old, Tensor) or new.dtype.numpy is None or not new.numel:
        return call
    return replace(call, arguments={**call.arguments, name: of_values(new, old.array())})


def _types(call: Call, first: Call) -> Call:
    """Elements of the same width are taken for the type that came first."""
    old = dict(first.tensors(written=False))
    changed = {name: _as(tensor, old[name]) for name, tensor in call.tensors(written=False)}
    return replace(call, arguments={**call.arguments, **changed})


def _as(tensor: Tensor, old: Tensor) -> Tensor:
    kind = old.dtype.numpy
    if tensor.dtype.numpy is None or kind is None or tensor.dtype.itemsize != old.dtype.itemsize or not tensor.numel:
        return tensor
    return of_values(tensor, tensor.array().view(kind).astype(tensor.dtype.numpy))


def _widths(call: Call) -> tuple[object, ...]:
    return (call.api, *((n, t.shape, t.dtype.itemsize) for n, t in call.tensors(written=False)))


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
        for tensor, values in zip(outputs, self._results.get(_shapes(call), new), strict=True):
            tensor.view()[...] = values
        self._results[_shapes(call)] = new
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


class Spoiling(SimulatorRunner):
    """Outputs of calls for which ``spoils`` holds, given the number of calls so far, are as if not written."""

    def __init__(self, spoils: Callable[[Call, int], bool], byte: int = SECOND_FILL_BYTE) -> None:
        super().__init__()
        self._spoils, self._byte, self._count = spoils, byte, 0

    def run(self, call: Call) -> Outcome:
        """Run honestly, then spoil."""
        outcome = super().run(call)
        if isinstance(outcome, Completed) and _runs(call) and _has_elements(call):
            self._count += 1
            if self._spoils(call, self._count):
                call.refill_outputs(self._byte)
        return outcome


class EmptyMakesEmpty(SimulatorRunner):
    """After a call with empty tensors the next one does nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._was_empty = False

    def run(self, call: Call) -> Outcome:
        """Run honestly, then undo it after an empty call."""
        outcome = super().run(call)
        if self._was_empty and isinstance(outcome, Completed):
            call.refill_outputs(FILL_BYTE)
        self._was_empty = not all(tensor.numel for _, tensor in call.tensors(written=False))
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
        "layouts_of_the_first_call", HARD, "strides and offsets are those of the first call of these shapes and types",
        "opbase@4e247ee", lambda: Remembering(_layouts),
    ),
    _fault(
        "scalars_of_the_first_call", HARD,
        "scalars and attributes are those of the first call of these shapes and types", "opbase@4e247ee",
        lambda: Remembering(_scalars), lambda contract, product: len(contract.parameters) > len(contract.tensors),
    ),
    _fault(
        "last_input_of_the_first_call", HARD, "the last input is taken for a constant of these shapes and types", OURS,
        lambda: Remembering(_last_input), has_inputs(2),
    ),
    _fault(
        "types_of_the_first_call", HARD, "the type is that of the first call of these shapes and widths",
        "opbase@0f14bd1", lambda: Remembering(_types, _widths),
    ),
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
        lambda: Spoiling(_is_repeatable),
    ),
    _fault(
        "second_call_does_nothing", MEDIUM, "the second whole call with the same arguments does nothing",
        "candle known issues", lambda: Spoiling(_is_second),
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
        no_fault=_EMPTY_REFUSED,
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
        "opbase@8c9af95", GrowingWorkspace, no_fault=_EMPTY_REFUSED,
    ),
)  # fmt: skip
"""Faults of this class."""
