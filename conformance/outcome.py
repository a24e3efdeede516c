"""What happened when a call ran: a closed set. Whether that is good is ``verdict``'s business."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from conformance.call import Action, Step
from conformance.status import SUCCESS, status_name


class Phase(Enum):
    """Where in the two-phase protocol a status came from."""

    WORKSPACE = "workspace"
    RUN = "run"


class StepResult(Struct, frozen=True):
    """Status and message of one step; status None means the step was not run (no executor to run)."""

    step: Step
    status: int | None
    message: str = ""


class Completed(Struct, frozen=True):
    """Every step returned success; outputs are in the call's own memory.

    ``workspace_bytes`` is the size phase 1 asked for (None when unknown). ``facts`` are free figures for the record.
    """

    results: tuple[StepResult, ...]
    workspace_bytes: int | None = None
    facts: Mapping[str, float | int | str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "completed"


class Rejected(Struct, frozen=True):
    """Some step returned a non-zero status; phase, status and message are those of the first such step."""

    phase: Phase
    status: int
    message: str
    results: tuple[StepResult, ...] = ()

    def __str__(self) -> str:
        return f"rejected at {self.phase.value} with {status_name(self.status)}"


class Crashed(Struct, frozen=True):
    """The process that ran the call died; ``signal`` is negative-free (11 for SIGSEGV), 0 for a plain exit."""

    signal: int
    detail: str = ""

    def __str__(self) -> str:
        return f"crashed ({self.detail or f'signal {self.signal}'})"


LIVED_ON = 1 << 8
"""In place of an exit code, of which none is as large: the process said no more, lived on and had to be killed."""


def how_ended(code: int) -> tuple[int, str]:
    """Signal (0 for a plain exit) and words for the exit code of a process, which is negative for a signal."""
    if code == LIVED_ON:
        return 0, "it closed its channel, lived on and was killed"
    if code >= 0:
        return 0, f"exit status {code}"
    try:
        return -code, f"signal {-code}, {signal.Signals(-code).name}"
    except ValueError:  # a real-time signal has no name
        return -code, f"signal {-code}"


class TimedOut(Struct, frozen=True):
    """The call was still running at its deadline, in seconds; ``where`` says so when it was a call before it."""

    deadline: float
    where: str = ""

    def __str__(self) -> str:
        return f"timed out after {self.deadline:g} s{f' {self.where}' if self.where else ''}"


class Unsupported(Struct, frozen=True):
    """The runner cannot express this call, or its implementation lacks the API."""

    reason: str

    def __str__(self) -> str:
        return f"unsupported: {self.reason}"


class Broken(Struct, frozen=True):
    """The suite, the reference or the harness is at fault."""

    reason: str

    def __str__(self) -> str:
        return f"broken: {self.reason}"


Outcome = Completed | Rejected | Crashed | TimedOut | Unsupported | Broken


def located(outcome: Crashed | TimedOut | Unsupported | Broken, where: str) -> Outcome:
    """The outcome saying where it came about, as in ``in the call before it, views``."""
    if isinstance(outcome, Crashed):
        return replace(outcome, detail=f"{outcome.detail or f'signal {outcome.signal}'}, {where}")
    if isinstance(outcome, TimedOut):
        return replace(outcome, where=where)
    return replace(outcome, reason=f"{where}: {outcome.reason}")


def outcome_of(
    results: Sequence[StepResult],
    workspace_bytes: int | None = None,
    facts: Mapping[str, float | int | str] | None = None,
) -> Completed | Rejected:
    """Outcome of a finished protocol: Rejected at the first non-zero status, else Completed."""
    for result in results:
        if result.status not in (None, SUCCESS):
            assert result.status is not None
            phase = Phase.RUN if result.step.action is Action.RUN else Phase.WORKSPACE
            return Rejected(phase, result.status, result.message, tuple(results))
    return Completed(tuple(results), workspace_bytes, facts or {})
