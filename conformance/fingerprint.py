"""A red result in a few words without figures of its own, so that failures of one kind can be counted together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from signal import Signals

from conformance.case import Case, Expectation, Refusal, Success
from conformance.outcome import Crashed, Outcome, Rejected, StepResult, TimedOut
from conformance.patterns import Diagnosis
from conformance.status import status_name
from conformance.verdict import Judged, Observation, Verdict

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*(?:e[+-]?\d+)?")
_LONGEST = 120


def fingerprint(case: Case, judged: Judged, seen: Observation | None, diagnoses: Mapping[str, Diagnosis]) -> str | None:
    """Words that failures of one kind share; None for verdicts that need no explanation.

    A crash gives its signal, broken memory the rule and argument, a wrong status what was expected and what came (of
    refusals with the labels of the constraints exercised), wrong numbers the pattern of each output; anything else its
    reason without figures.
    """
    failed = judged.verdict in (Verdict.FAILED, Verdict.WAIVED)
    if not failed and not judged.verdict.is_red:
        return None
    if not failed or seen is None:
        return plain_words(judged.reason)
    return (
        _death(seen.outcome)
        or "; ".join(dict.fromkeys(f"{fault.where}: {fault.rule.value} memory" for fault in seen.faults))
        or _status(case, seen.outcome)
        or "; ".join(f"{name}: {diagnosis.pattern.title}" for name, diagnosis in diagnoses.items())
        or plain_words(judged.reason)
    )


def plain_words(reason: str) -> str:
    """A reason without figures, as far as its first line goes."""
    return _FIGURE.sub("#", reason.partition("\n")[0])[:_LONGEST]


def _death(outcome: Outcome) -> str:
    if isinstance(outcome, TimedOut):
        return "timed out"
    if not isinstance(outcome, Crashed):
        return ""
    try:
        return f"crashed with {Signals(outcome.signal).name}"
    except ValueError:
        return f"ended: {outcome.detail}" if outcome.detail else "ended"


def _status(case: Case, outcome: Outcome) -> str:
    expected = case.expectation
    wanted, got = _wanted(expected, outcome)
    if wanted == got:
        return ""
    labels = f" [{', '.join(case.exercises)}]" if case.exercises and isinstance(expected, Refusal) else ""
    return f"expected {wanted}, got {got}{labels}"


def _wanted(expected: Expectation, outcome: Outcome) -> tuple[str, str]:
    """What was expected and what came, in the same words where they agree."""
    came = f"{status_name(outcome.status)} at {outcome.phase.value}" if isinstance(outcome, Rejected) else "success"
    if isinstance(expected, Refusal):
        return f"{status_name(expected.status)} at {expected.phase.value}", came
    if isinstance(expected, Success) and not expected.statuses:
        return "success", came
    if isinstance(expected, Success):
        return _first_difference(expected.statuses, getattr(outcome, "results", ()))
    return came, came


def _first_difference(wanted: tuple[int, ...], results: tuple[StepResult, ...]) -> tuple[str, str]:
    for status, result in zip(wanted, results, strict=False):
        if result.status != status:
            got = "nothing" if result.status is None else status_name(result.status)
            return f"{status_name(status)} of {result.step}", got
    return "", ""
