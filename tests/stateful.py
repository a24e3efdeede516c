"""Runners that are right in a single call and wrong in company: the simulator with one kind of memory each."""

from __future__ import annotations

from fakes import Honest
from msgspec import structs

from conformance.call import Action, Attribute, Scalar
from conformance.outcome import Phase, Rejected, StepResult, outcome_of
from conformance.tensor import SECOND_FILL_BYTE, Tensor

POOL = 32
"""Executors that may wait at once in ``Exhausted``."""


def tensors_of(call):
    return {name: argument for name, argument in call.arguments.items() if isinstance(argument, Tensor)}


def numbers_of(call):
    return {name: argument for name, argument in call.arguments.items() if isinstance(argument, (Scalar, Attribute))}


def looks(call):
    """What a careless cache takes for the whole of a call."""
    return call.api, tuple((tensor.shape, tensor.dtype) for tensor in tensors_of(call).values())


class Keeping(Honest):
    """Keeps something of the first call that looks the same, and uses it in later ones."""

    def __init__(self):
        super().__init__()
        self.kept = {}

    def key(self, call):
        return looks(call)

    def run(self, call):
        kept = self.kept.setdefault(self.key(call), self.taken_from(call))
        return super().run(structs.replace(call, arguments={**call.arguments, **self.used(call, kept)}))


class KeepsTheFirstLayout(Keeping):
    def taken_from(self, call):
        return {name: tensor.strides for name, tensor in call.tensors(written=False)}

    def used(self, call, kept):
        return {name: structs.replace(call.arguments[name], strides=strides) for name, strides in kept.items()}


class KeepsTheLastStridedLayout(KeepsTheFirstLayout):
    """Its list of what must be made contiguous is replaced only by a list that is not empty."""

    def run(self, call):
        if not all(tensor.is_contiguous for _, tensor in call.tensors(written=False)):
            self.kept.pop(self.key(call), None)
        return super().run(call)


class KeepsNumbers(Keeping):
    def taken_from(self, call):
        return numbers_of(call)

    def used(self, call, kept):
        return kept


class KeepsShapes(Keeping):
    """Goes by the number of elements of the largest tensor."""

    def key(self, call):
        return call.api, max(tensor.numel for tensor in tensors_of(call).values())

    def taken_from(self, call):
        return {name: (tensor.shape, tensor.strides) for name, tensor in tensors_of(call).items()}

    def used(self, call, kept):
        return {
            name: structs.replace(call.arguments[name], shape=shape, strides=strides)
            for name, (shape, strides) in kept.items()
        }


class KeepsTypes(Keeping):
    def key(self, call):
        return call.api, tuple(tensor.shape for tensor in tensors_of(call).values())

    def taken_from(self, call):
        return {name: tensor.dtype for name, tensor in tensors_of(call).items()}

    def used(self, call, kept):
        return {name: structs.replace(call.arguments[name], dtype=dtype) for name, dtype in kept.items()}


class KeepsInputs(Keeping):
    """Reads the inputs where those of the first call lay."""

    def taken_from(self, call):
        return {name: structs.replace(tensor, memory=tensor.memory) for name, tensor in call.tensors(written=False)}

    def used(self, call, kept):
        return {name: structs.replace(tensor, memory=kept[name].memory) for name, tensor in call.tensors(written=False)}


class WritesOnlyBefore(Honest):
    """Takes a step of some kind for the end of all writing."""

    def lie(self, call, outcome):
        if any(map(self.ends_writing, call.steps)):
            call.refill_outputs(SECOND_FILL_BYTE)


class IgnoresRefills(WritesOnlyBefore):
    """Takes what it computed once for still being in place."""

    def ends_writing(self, step):
        return step.action is Action.REFILL


class IgnoresMoves(WritesOnlyBefore):
    """Goes on writing to the old addresses."""

    def ends_writing(self, step):
        return step.action is Action.MOVE


class LosesStreams(WritesOnlyBefore):
    """Puts work on a second stream that nobody waits for."""

    def ends_writing(self, step):
        return step.stream > 0


class Exhausted(Honest):
    """Has a pool of executors, into which only those return that are run."""

    def __init__(self):
        super().__init__()
        self.waiting = 0

    def run(self, call):
        results = []
        for step in call.steps:
            self.waiting += (step.action is Action.WORKSPACE) - (step.action is Action.RUN)
            late = self.waiting > POOL
            results.append(StepResult(step, 561101, "no executor is left") if late else StepResult(step, 0))
        return outcome_of(results) if any(result.status for result in results) else super().run(call)


class SulksAfterARefusal(Honest):
    """A refused phase 1 leaves a state behind in which the next one fails."""

    def __init__(self):
        super().__init__()
        self.refused = False

    def run(self, call):
        if self.refused:
            self.refused = False
            return Rejected(Phase.WORKSPACE, 561103, "left over from the last call")
        outcome = super().run(call)
        self.refused = isinstance(outcome, Rejected)
        return outcome
