"""Runners that lie: the simulator with one fault each. What each deserves is in test_liars.py."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import structs

from conformance.errors import UnknownRunner
from conformance.outcome import Completed, Outcome, Phase, Rejected, StepResult, Unsupported, outcome_of
from conformance.runner import RunnerInfo
from conformance.tensor import GUARD_BYTES
from runners.aclnn.device import pick_device
from runners.simulator.runner import SimulatorRunner


class Honest(SimulatorRunner):
    """The simulator itself under a name that is not trusted."""

    def describe(self):
        return RunnerInfo(type(self).__name__, "1")

    def run(self, call) -> Outcome:
        outcome = super().run(call)
        return self.lie(call, outcome) or outcome

    def lie(self, call, outcome):
        """What this liar does after an honest run; None keeps the honest outcome."""


class TurningBad(Honest):
    """Honest for a number of runs, then ``spoil`` has its way with call and outcome."""

    def __init__(self, honest, spoil):
        super().__init__()
        self.left, self.spoil = honest, spoil

    def lie(self, call, outcome):
        self.left -= 1
        return None if self.left >= 0 else self.spoil(call, outcome)


def first_output(call):
    return next(tensor for _, tensor in call.tensors(written=True))


def byte_after(memory):
    return memory.everything[GUARD_BYTES + len(memory.payload) :]


class WrongSign(Honest):
    def lie(self, call, outcome):
        if isinstance(outcome, Completed):
            view = first_output(call).view()
            view[...] = -view


class OneUlpOff(Honest):
    def lie(self, call, outcome):
        view = first_output(call).view()
        view[...] = np.nextafter(view, view.dtype.type(np.inf))


class WrongTail(Honest):
    def lie(self, call, outcome):
        first_output(call).view().reshape(-1)[-1] += 1


class WritesNothing(Honest):
    def run(self, call):
        return outcome_of([StepResult(step, 0) for step in call.steps], 0)


class SkipsOneOutput(Honest):
    def lie(self, call, outcome):
        list(call.tensors(written=True))[-1][1].memory.payload[:] = 0xA5


class WritesPastOutput(Honest):
    def lie(self, call, outcome):
        byte_after(first_output(call).memory)[5] ^= 1


class WritesBeforeOutput(Honest):
    def lie(self, call, outcome):
        first_output(call).memory.everything[GUARD_BYTES - 1] ^= 1


class WritesPastWorkspace(Honest):
    def lie(self, call, outcome):
        for memory in call.workspaces:
            byte_after(memory)[0] ^= 1


class WritesIntoGaps(Honest):
    def lie(self, call, outcome):
        tensor = first_output(call)
        tensor.memory.payload[tensor.dtype.itemsize] ^= 1


class ChangesAnInput(Honest):
    def lie(self, call, outcome):
        call.arguments["weight"].view()[0] += 1


class WrongStatus(Honest):
    def lie(self, call, outcome):
        return structs.replace(outcome, status=561103) if isinstance(outcome, Rejected) else None


class RefusesTooLate(Honest):
    def lie(self, call, outcome):
        return structs.replace(outcome, phase=Phase.RUN) if isinstance(outcome, Rejected) else None


class AcceptsEverything(Honest):
    def lie(self, call, outcome):
        return Completed(tuple(StepResult(step, 0) for step in call.steps))


class RefusesEverything(Honest):
    def run(self, call):
        return Rejected(Phase.WORKSPACE, 161002, "no")


class WritesOnRefusal(Honest):
    def lie(self, call, outcome):
        if isinstance(outcome, Rejected):
            first_output(call).view()[...] = 0


class NanToZero(Honest):
    def lie(self, call, outcome):
        for _, tensor in call.tensors(written=True):
            np.nan_to_num(tensor.view(), copy=False, nan=0.0, posinf=np.inf, neginf=-np.inf)


class GreaterOrEqual(Honest):
    """``>=`` for ``>``: a zero takes the gradient unweighted."""

    def lie(self, call, outcome):
        zero = call.arguments["self"].view() == 0
        first_output(call).view()[zero] = call.arguments["gradOutput"].view()[zero]


class LastAxisWeights(Honest):
    """Weights along the last axis in place of axis 1."""

    def lie(self, call, outcome):
        x, dy, weight = (call.arguments[name].view() for name in ("self", "gradOutput", "weight"))
        first_output(call).view()[...] = np.where(x > 0, dy, weight * dy)


class Crashes(Honest):
    def lie(self, call, outcome):
        os.kill(os.getpid(), signal.SIGSEGV)


class Exits(Honest):
    def lie(self, call, outcome):
        os._exit(3)


class Hangs(Honest):
    def lie(self, call, outcome):
        time.sleep(600)


class Raises(Honest):
    def lie(self, call, outcome):
        raise RuntimeError("out of luck")


class AnswersNothing(Honest):
    def run(self, call):
        return None


class AnswersHalf(Honest):
    def lie(self, call, outcome):
        return structs.replace(outcome, results=outcome.results[:1])


class CannotBeSent(Honest):
    def lie(self, call, outcome):
        return structs.replace(outcome, facts={"lambda": lambda: 0})


class SupportsNothing(Honest):
    def supports(self, api, product):
        return "not today"


class LiesAboutSupport(Honest):
    def run(self, call):
        return Unsupported("it turns out not")


class RaisesWhenAsked(Honest):
    def supports(self, api, product):
        raise RuntimeError("do not ask")


class AllZero(Honest):
    def lie(self, call, outcome):
        first_output(call).view()[...] = 0


class RaisesReadably(Honest):
    def lie(self, call, outcome):
        raise UnknownRunner("no device")


class PoisonedByFiveRows(Honest):
    """Dies in calls of four rows, and after surviving one of five rows computes nonsense."""

    def __init__(self):
        super().__init__()
        self.poisoned = False

    def lie(self, call, outcome):
        rows = call.arguments["self"].shape[0]
        if rows == 4:
            os.abort()
        if self.poisoned:
            first_output(call).view()[...] = 7
        self.poisoned = self.poisoned or rows == 5


class WearsOut(Honest):
    """Right in its first call and wrong ever after, in new processes too: a file outlives them."""

    def __init__(self, file):
        super().__init__()
        self.file = Path(file)

    def lie(self, call, outcome):
        if self.file.exists():
            first_output(call).view()[...] = 7
        self.file.touch()


class SaysItsDevice(Honest):
    """One of several workers, each with a device of its own."""

    def __init__(self, device="0"):
        super().__init__()
        self.device = pick_device(device, os.environ)

    def describe(self):
        return replace(super().describe(), facts={"device": str(self.device)})

    def lie(self, call, outcome):
        return structs.replace(outcome, facts={**outcome.facts, "device": str(self.device)})


class Flaky(Honest):
    """Wrong at its first, its second and its fourth call: one failure that stays, one that does not."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def lie(self, call, outcome):
        self.calls += 1
        if self.calls in (1, 2, 4):
            view = first_output(call).view()
            view[...] = -view


class Slow(Honest):
    """Takes its time, so that there is a moment to kill a run in."""

    def lie(self, call, outcome):
        time.sleep(0.03)
