"""What a record holds of a run → what was seen of it, so that its verdicts can be made again, by any standard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.call import Step
from conformance.errors import InvalidRecord
from conformance.guard import MemoryFault, MemoryRule
from conformance.judgeable import Judgeable
from conformance.measured_text import measured_in
from conformance.outcome import Broken, Completed, Crashed, Outcome, Phase, Rejected, StepResult, TimedOut, Unsupported
from conformance.verdict import Observation

Line = Mapping[str, Any]


def observation_of(line: Line, case: Judgeable) -> Observation | None:
    """What the line of a case says was seen; None where it was not run. Raises InvalidRecord for a broken line."""
    if "outcome" not in line:
        return None
    try:
        return _observation(line, case)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidRecord(f"{line.get('id')}: its line cannot be read: {type(error).__name__}: {error}") from error


def _observation(line: Line, case: Judgeable) -> Observation:
    return Observation(
        outcome=_outcome(line["outcome"], case.steps_taken),
        outputs=frozenset(line["filled"]),
        untouched=frozenset(line["untouched"]),
        in_place=frozenset(line["in_place"]),
        faults=tuple(MemoryFault(MemoryRule(f["rule"]), f["where"], f["text"]) for f in line["faults"]),
        measured=measured_in(line),
        vivid=line["vivid"],
        unsteady=line.get("unsteady", ""),
        alike=frozenset(line.get("alike", ())),
        poison=line.get("poison", ""),
        may_be_silent=line.get("may_be_silent", False),
    )


def _outcome(written: Line, steps: Sequence[Step]) -> Outcome:
    return _OUTCOMES[written["kind"]](written, steps)


def _results(written: Line, steps: Sequence[Step]) -> tuple[StepResult, ...]:
    """Results of the case's own steps; a runner that reports none has none in the record."""
    answers = written["steps"]
    if answers and len(answers) != len(steps):
        raise ValueError(f"{len(answers)} steps are recorded, the case has {len(steps)}")
    return tuple(StepResult(step, a["status"], a["message"]) for step, a in zip(steps, answers, strict=False))


_OUTCOMES: Mapping[str, Callable[[Line, Sequence[Step]], Outcome]] = {
    "Completed": lambda line, steps: Completed(_results(line, steps), line["workspace"], line["facts"]),
    "Rejected": lambda line, steps: Rejected(
        Phase(line["phase"]), line["status"], line["message"], _results(line, steps)
    ),
    "Crashed": lambda line, steps: Crashed(line["signal"], line["detail"]),
    "TimedOut": lambda line, steps: TimedOut(line["deadline"], line["where"]),
    "Unsupported": lambda line, steps: Unsupported(line["why"]),
    "Broken": lambda line, steps: Broken(line["why"]),
}
