"""Status faults that take their process with them: crashes and hangs where a status is due."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial

from conformance.call import Action, Call
from conformance.outcome import Outcome
from conformance.tensor import Tensor
from runners.faults.fault import EASY, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import Build
from runners.simulator.runner import SimulatorRunner

_fault = partial(Fault, FaultClass.STATUS, isolated=True)


class Dying(SimulatorRunner):
    """Calls for which ``dies`` holds end the process, or never end."""

    def __init__(self, dies: Callable[[Call], bool], *, hangs: bool = False) -> None:
        super().__init__()
        self._dies, self._hangs = dies, hangs

    def run(self, call: Call) -> Outcome:
        """Die, hang or run honestly."""
        if not self._dies(call):
            return super().run(call)
        if self._hangs:
            time.sleep(2 * call.deadline)
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError("unreachable")


def _dying(dies: Callable[[Call], bool], *, hangs: bool = False) -> Build:
    return lambda: Dying(dies, hangs=hangs)


def _has_null(call: Call) -> bool:
    return any(call.arguments.get(p.name) is None for p in call.parameters if p.is_pointer) or any(
        step.action is Action.WORKSPACE and step.nulls - {"workspaceSize", "executor"} for step in call.steps
    )


def _null_out_pointer(call: Call) -> bool:
    return any(step.action is Action.WORKSPACE and step.nulls & {"workspaceSize", "executor"} for step in call.steps)


def _null_executor(call: Call) -> bool:
    return any(step.action is Action.RUN and "executor" in step.nulls for step in call.steps)


def _shapes(call: Call) -> list[tuple[int, ...]]:
    return [given.shape for given in call.arguments.values() if isinstance(given, Tensor)]


def _is_empty(call: Call) -> bool:
    return any(0 in shape for shape in _shapes(call))


FAULTS = (
    _fault(
        "null_crashes", EASY, "a null tensor or scalar is used before it is looked at", "ops-nn@4c8b12ff9",
        _dying(_has_null),
    ),
    _fault(
        "null_out_pointer_crashes", EASY, "workspaceSize or executor is written without a look at it",
        "ops-nn@9cb3b35fe", _dying(_null_out_pointer),
    ),
    _fault("null_executor_crashes", EASY, "phase 2 uses a null executor", OURS, _dying(_null_executor)),
    _fault(
        "empty_crashes", EASY, "an empty tensor is divided by its number of elements", "ops-nn@3471c428c",
        _dying(_is_empty),
    ),
    _fault(
        "empty_hangs", EASY, "no elements give no cores, for which the launch waits", "ops-nn@76a48cd61",
        _dying(_is_empty, hangs=True),
    ),
    _fault(
        "nine_dimensions_crash", MEDIUM, "nine dimensions overrun an array of eight", OURS,
        _dying(lambda call: any(len(s) > 8 for s in _shapes(call))),
    ),
)  # fmt: skip
"""Faults of this class."""
