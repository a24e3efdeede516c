"""Expectation, what was observed, standard and waivers → verdict. Pure, and total over every closed set.

The ladder: a fault of the suite is broken; what the runner cannot express is unsupported; a crash, a hang or damaged
memory is failed, unless the case says that nothing is defined; then statuses, workspace, and at last the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from conformance.case import Expectation, Refusal, Success, Unspecified
from conformance.guard import MemoryFault
from conformance.metrics import Metrics
from conformance.outcome import (
    Broken,
    Completed,
    Crashed,
    Outcome,
    Phase,
    Rejected,
    StepResult,
    TimedOut,
    Unsupported,
    outcome_of,
)
from conformance.rules import Judgement
from conformance.standard import ComparisonClass, Standard
from conformance.status import SUCCESS, status_name
from conformance.waiver import Waiver, WaiverKind


class Verdict(Enum):
    """What a case's run means."""

    PASSED = "passed"
    FAILED = "failed"
    WAIVED = "waived"
    UNEXPECTED_PASS = "unexpected_pass"
    UNSUPPORTED = "unsupported"
    UNSPECIFIED = "unspecified"
    MISTRUSTED = "mistrusted"
    BROKEN = "broken"
    SKIPPED = "skipped"
    NOT_RUN = "not_run"

    @property
    def is_red(self) -> bool:
        """Whether one such verdict makes the run fail."""
        return self in _RED

    @property
    def was_executed(self) -> bool:
        """Whether the implementation was called and answered for itself."""
        return self in _EXECUTED


# Tuples: looking through a few by identity is quicker than hashing one.
_RED = (Verdict.FAILED, Verdict.UNEXPECTED_PASS, Verdict.MISTRUSTED, Verdict.BROKEN, Verdict.NOT_RUN)
_EXECUTED = (
    Verdict.PASSED,
    Verdict.FAILED,
    Verdict.WAIVED,
    Verdict.UNEXPECTED_PASS,
    Verdict.UNSPECIFIED,
    Verdict.MISTRUSTED,
)


class Measured(Struct, frozen=True):
    """Metrics of one output, how closely it must match, and the benchmark's metrics where there is one."""

    metrics: Metrics
    comparison: ComparisonClass
    benchmark: Metrics | None = None


class Observation(Struct, frozen=True):
    """Everything seen of one run.

    ``outputs`` names the outputs that have elements, ``untouched`` those that hold what they held before, ``in_place``
    those that share memory with an input; ``vivid`` says that some input is neither all zero nor all NaN. ``unsteady``
    says what differs when the call is made again, ``alike`` which outputs hold the very bits that the call before
    wrote though the case wants others, ``may_be_silent`` that the implementation has no error texts, ``poison`` what no
    longer works in the same process after the call.
    """

    outcome: Outcome
    outputs: frozenset[str] = frozenset()
    untouched: frozenset[str] = frozenset()
    in_place: frozenset[str] = frozenset()
    faults: tuple[MemoryFault, ...] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)
    vivid: bool = True
    unsteady: str = ""
    alike: frozenset[str] = frozenset()
    may_be_silent: bool = False
    poison: str = ""


class Judged(Struct, frozen=True):
    """A verdict with its reason in one sentence.

    ``headroom`` is the worst error ÷ limit over the outputs; ``side`` says, for an unspecified case, whose answer the
    implementation gave: document, implementation, both or neither.
    """

    verdict: Verdict
    reason: str = ""
    headroom: float | None = None
    side: str | None = None
    outputs: Mapping[str, Judgement] = field(default_factory=dict)


def judge(expectation: Expectation, seen: Observation, standard: Standard) -> Judged:
    """Verdict of one run, before waivers."""
    judged = _judge_alone(expectation, seen, standard)
    return _poisoned(judged, seen.poison) if seen.poison else judged


def _poisoned(judged: Judged, complaint: str) -> Judged:
    """What went wrong after a call counts against it, whatever the call itself answered."""
    blamed = judged.verdict in (Verdict.PASSED, Verdict.UNSPECIFIED)
    reason = "; ".join(filter(None, (judged.reason, complaint)))
    return replace(judged, verdict=Verdict.FAILED if blamed else judged.verdict, reason=reason)


def _judge_alone(expectation: Expectation, seen: Observation, standard: Standard) -> Judged:
    certain = _whatever_was_expected(seen)
    if certain is not None:
        if isinstance(expectation, Unspecified) and expectation.crash and certain.verdict is Verdict.FAILED:
            return _anything_goes(expectation, certain)
        return certain
    if isinstance(expectation, Refusal):
        return _judge_refusal(expectation, seen)
    if isinstance(expectation, Success):
        return _judge_success(expectation, seen, standard)
    return _judge_unspecified(expectation, seen, standard)


def excuse(judged: Judged, waiver: Waiver | None) -> Judged:
    """The verdict under a waiver: failed becomes waived, passed becomes an unexpected pass unless it may be flaky."""
    if waiver is None or waiver.kind is WaiverKind.SKIP:
        return judged
    because = f"{waiver.kind.value} {waiver.term}: {waiver.reason}"
    if judged.verdict is Verdict.FAILED:
        return replace(judged, verdict=Verdict.WAIVED, reason=f"{judged.reason} [{because}]")
    if judged.verdict is Verdict.PASSED and waiver.kind is not WaiverKind.FLAKY:
        return replace(
            judged,
            verdict=Verdict.UNEXPECTED_PASS,
            reason=f"passes although excused [{because}]: remove the entry at {waiver.where}",
        )
    return judged


def _whatever_was_expected(seen: Observation) -> Judged | None:
    outcome = seen.outcome
    if isinstance(outcome, Broken):
        return Judged(Verdict.BROKEN, outcome.reason)
    if isinstance(outcome, Unsupported):
        return Judged(Verdict.UNSUPPORTED, outcome.reason)
    if isinstance(outcome, (Crashed, TimedOut)):
        return Judged(Verdict.FAILED, str(outcome))
    if seen.faults:
        return Judged(Verdict.FAILED, "; ".join(map(str, seen.faults)))
    return None


def _answered(seen: Observation) -> tuple[Outcome, tuple[StepResult, ...]]:
    outcome = seen.outcome
    assert isinstance(outcome, (Completed, Rejected))
    return outcome, outcome.results


def _judge_refusal(expected: Refusal, seen: Observation) -> Judged:
    outcome, _ = _answered(seen)
    wanted = f"refusal at {expected.phase.value} with {status_name(expected.status)}"
    if not isinstance(outcome, Rejected):
        return Judged(Verdict.FAILED, f"expected {wanted}, but the call was accepted")
    if (outcome.phase, outcome.status) != (expected.phase, expected.status):
        return Judged(Verdict.FAILED, f"expected {wanted}, but it was {outcome}{_quoted(outcome.message)}")
    written = seen.outputs - seen.untouched
    if written and expected.phase is Phase.WORKSPACE:
        return Judged(Verdict.FAILED, f"refused, but {', '.join(sorted(written))} was written")
    if not outcome.message.strip() and not seen.may_be_silent:
        return Judged(Verdict.FAILED, "refused without a message that says why")
    return Judged(Verdict.PASSED)


def _judge_success(expected: Success, seen: Observation, standard: Standard) -> Judged:
    _, results = _answered(seen)
    if expected.statuses and len(results) != len(expected.statuses):
        return Judged(Verdict.BROKEN, f"the runner answers {len(results)} of {len(expected.statuses)} steps")
    for complaint in (
        _wrong_status(expected, seen),
        _wrong_workspace(expected, seen),
        _wrong_writes(expected, seen),
        seen.unsteady,
        _wrong_likeness(expected, seen),
    ):
        if complaint:
            return Judged(Verdict.FAILED, complaint)
    return _judge_numbers(expected, seen, standard)


def _wrong_status(expected: Success, seen: Observation) -> str:
    outcome, results = _answered(seen)
    if not expected.statuses:
        if isinstance(outcome, Rejected):
            return f"expected success, but it was {outcome}{_quoted(outcome.message)}"
        return ""
    for number, (wanted, result) in enumerate(zip(expected.statuses, results, strict=True), 1):
        if result.status != wanted:
            got = "was not run" if result.status is None else f"returned {status_name(result.status)}"
            return f"step {number} ({result.step}) {got}, expected {status_name(wanted)}{_quoted(result.message)}"
    return ""


def _wrong_workspace(expected: Success, seen: Observation) -> str:
    size = seen.outcome.workspace_bytes if isinstance(seen.outcome, Completed) else None
    if expected.workspace is None or size is None or size == expected.workspace:
        return ""
    return f"asks for a workspace of {size} bytes, expected {expected.workspace}"


def _wrong_writes(expected: Success, seen: Observation) -> str:
    written = expected.untouched & (seen.outputs - seen.untouched)
    if written:
        return f"{', '.join(sorted(written))} was written, expected it untouched"
    _, results = _answered(seen)
    ran_at_the_end = bool(results) and results[-1].status == SUCCESS
    # What agrees with the golden to the last bit was written, or need not be told from it: the golden is the pattern.
    wrong = frozenset(name for name, one in seen.measured.items() if one.metrics.bit_different)
    missing = (seen.outputs & seen.untouched & wrong) - expected.untouched - seen.in_place
    if missing and ran_at_the_end:
        return f"{', '.join(sorted(missing))} was not written: it still holds the pattern from before the call"
    return ""


def _wrong_likeness(expected: Success, seen: Observation) -> str:
    same = ", ".join(sorted(expected.unlike & seen.alike))
    return f"{same} holds the very bits that the call before wrote, expected others" if same else ""


def _judge_numbers(expected: Success, seen: Observation, standard: Standard) -> Judged:
    judgements = {
        name: standard.judge(one.metrics, one.comparison, one.benchmark) for name, one in seen.measured.items()
    }
    headrooms = [j.headroom for j in judgements.values() if j.headroom is not None]
    result = Judged(Verdict.PASSED, "", max(headrooms, default=None), None, judgements)
    unmet = [f"{name}: {j.reason}" for name, j in judgements.items() if j.met is False]
    unjudged = [f"{name}: {j.reason}" for name, j in judgements.items() if j.met is None]
    if unmet:
        return replace(result, verdict=Verdict.FAILED, reason="; ".join(unmet))
    if unjudged:
        return replace(result, verdict=Verdict.BROKEN, reason="cannot judge: " + "; ".join(unjudged))
    doubt = _doubt(expected, seen)
    return replace(result, verdict=Verdict.MISTRUSTED, reason=doubt) if doubt else result


def _doubt(expected: Success, seen: Observation) -> str:
    """Why agreement proves nothing: an output without golden, or a golden that is all zero or all NaN unannounced."""
    unread = seen.outputs - frozenset(seen.measured) - expected.untouched
    if unread:
        return f"nothing was compared for {', '.join(sorted(unread))}"
    for name, one in seen.measured.items():
        flat = "zero" if one.metrics.golden_all_zero else "NaN" if one.metrics.golden_all_nan else ""
        if flat and seen.vivid and name not in expected.degenerate:
            return f"{name}: the golden is {flat} everywhere though the inputs are not, so agreement proves little"
    return ""


def _judge_unspecified(expected: Unspecified, seen: Observation, standard: Standard) -> Judged:
    answers = {"document": expected.document, "implementation": expected.implementation}
    trials = {side: judge(answer, seen, standard) for side, answer in answers.items() if answer is not None}
    taken = [side for side, trial in trials.items() if trial.verdict in (Verdict.PASSED, Verdict.MISTRUSTED)]
    side = ("both" if len(taken) == 2 else taken[0]) if taken else ("neither" if trials else None)
    outputs = next((trial.outputs for trial in trials.values() if trial.outputs), {})
    return Judged(Verdict.UNSPECIFIED, f"{expected.reason}; it was {outcome_words(seen)}", None, side, outputs)


def _anything_goes(expected: Unspecified, certain: Judged) -> Judged:
    """The verdict on a crash, a hang or damaged memory where nothing is defined."""
    side = "neither" if expected.document or expected.implementation else None
    return Judged(Verdict.UNSPECIFIED, f"{expected.reason}; it was: {certain.reason}", None, side)


def outcome_words(seen: Observation) -> str:
    """The outcome in words, statuses included."""
    outcome = seen.outcome
    if isinstance(outcome, Completed) and outcome_of(outcome.results).__class__ is Completed:
        return "accepted"
    return str(outcome)


def _quoted(message: str) -> str:
    return f": {message.strip()}" if message.strip() else " (no message)"
