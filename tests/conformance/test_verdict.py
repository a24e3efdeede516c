"""Expectation and observation to verdict: total over every closed set."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from conformance.call import DEFAULT_STEPS, Action, Step
from conformance.case import Refusal, Success, Unspecified
from conformance.dtype import DTYPES
from conformance.errors import Location
from conformance.golden import GoldenOutput
from conformance.guard import MemoryFault, MemoryRule
from conformance.load import load_standards
from conformance.measure import measure
from conformance.outcome import (
    Broken,
    Completed,
    Crashed,
    Phase,
    Rejected,
    StepResult,
    TimedOut,
    Unsupported,
    outcome_of,
)
from conformance.standard import ComparisonClass, Standard, probes_of
from conformance.verdict import Judged, Measured, Observation, Verdict, excuse, judge, outcome_words
from conformance.waiver import Waiver, WaiverKind

V = Verdict
STRICT = load_standards()["strict"]
NO_RULES = Standard("none", "1", "", "", ())
REFUSAL = Refusal(Phase.WORKSPACE, 161002)
DONE = outcome_of([StepResult(step, 0) for step in DEFAULT_STEPS], 32)
REFUSED = Rejected(Phase.WORKSPACE, 161002, "bad dtype")
Y = frozenset({"y"})


def measured(got, golden):
    output = GoldenOutput(np.array(golden, np.float64))
    metrics = measure(output, np.array(got, np.float32), DTYPES["float32"], probes_of([STRICT]))
    return {"y": Measured(metrics, ComparisonClass.EXACT)}


RIGHT, WRONG = measured([1, 2], [1, 2]), measured([1, 2], [1, 3])
ZERO, NAN = measured([0, 0], [0, 0]), measured([np.nan] * 2, [np.nan] * 2)
FAULT = (MemoryFault(MemoryRule.INPUT, "x", "an input was modified"),)


def seen(outcome=DONE, measured=RIGHT, **rest):
    return Observation(outcome, rest.pop("outputs", Y), measured=measured, **rest)


@pytest.mark.parametrize("expectation", [Success(), REFUSAL, Unspecified("silent", Success())])
@pytest.mark.parametrize(
    ("observation", "verdict", "reason"),
    [
        (seen(Broken("no golden")), V.BROKEN, "no golden"),
        (seen(Unsupported("no kernel")), V.UNSUPPORTED, "no kernel"),
        (seen(Crashed(11, "signal 11, SIGSEGV")), V.FAILED, "crashed (signal 11, SIGSEGV)"),
        (seen(TimedOut(2)), V.FAILED, "timed out after 2 s"),
        (seen(faults=FAULT), V.FAILED, "x: an input was modified"),
        (seen(REFUSED, faults=FAULT), V.FAILED, "x: an input was modified"),
    ],
)
def test_whatever_was_expected(expectation, observation, verdict, reason):
    assert judge(expectation, observation, STRICT) == Judged(verdict, reason)


@pytest.mark.parametrize(
    ("observation", "verdict", "reason"),
    [
        (seen(Crashed(11)), V.UNSPECIFIED, "silent; it was: crashed (signal 11)"),
        (seen(TimedOut(2)), V.UNSPECIFIED, "silent; it was: timed out after 2 s"),
        (seen(faults=FAULT), V.UNSPECIFIED, "silent; it was: x: an input was modified"),
        (seen(Broken("no golden")), V.BROKEN, "no golden"),
        (seen(Unsupported("no kernel")), V.UNSUPPORTED, "no kernel"),
        (seen(), V.UNSPECIFIED, "silent; it was accepted"),
    ],
)
def test_where_nothing_is_defined_anything_may_happen(observation, verdict, reason):
    judged = judge(Unspecified("silent", crash=True), observation, STRICT)
    assert (judged.verdict, judged.reason, judged.side) == (verdict, reason, None)


@pytest.mark.parametrize(
    ("observation", "verdict", "reason"),
    [
        (seen(REFUSED, untouched=Y), V.PASSED, ""),
        (seen(DONE), V.FAILED, "expected refusal at workspace with PARAM_INVALID (161002), but the call was accepted"),
        (seen(Rejected(Phase.WORKSPACE, 161001, "")), V.FAILED, "with PARAM_NULLPTR (161001) (no message)"),
        (
            seen(Rejected(Phase.WORKSPACE, 161002, " "), untouched=Y),
            V.FAILED,
            "refused without a message that says why",
        ),
        (seen(Rejected(Phase.WORKSPACE, 161002, ""), untouched=Y, may_be_silent=True), V.PASSED, ""),
        (seen(Rejected(Phase.RUN, 161002, " late ")), V.FAILED, "rejected at run with PARAM_INVALID (161002): late"),
        (seen(REFUSED), V.FAILED, "refused, but y was written"),
        (seen(REFUSED, untouched=Y, in_place=Y), V.PASSED, ""),
    ],
)
def test_a_refusal(observation, verdict, reason):
    judged = judge(REFUSAL, observation, STRICT)
    assert judged.verdict is verdict
    assert reason in judged.reason


def test_a_refusal_at_run_may_have_written():
    assert judge(Refusal(Phase.RUN, 7), seen(Rejected(Phase.RUN, 7, "no")), STRICT).verdict is V.PASSED


def steps(*statuses):
    names = (Step(Action.WORKSPACE), Step(Action.RUN))
    return outcome_of([StepResult(step, status) for step, status in zip(names, statuses, strict=False)])


@pytest.mark.parametrize(
    ("expected", "observation", "verdict", "reason"),
    [
        (Success(), seen(), V.PASSED, ""),
        (Success(), seen(REFUSED), V.FAILED, "expected success, but it was rejected at workspace"),
        (Success(workspace=32), seen(), V.PASSED, ""),
        (Success(workspace=64), seen(), V.FAILED, "asks for a workspace of 32 bytes, expected 64"),
        (Success(workspace=64), seen(Completed(DONE.results)), V.PASSED, ""),
        (Success((0, 0)), seen(), V.PASSED, ""),
        (Success((0, 161001)), seen(steps(0, 161001), {}, outputs=frozenset()), V.PASSED, ""),
        (Success((0, 161001)), seen(), V.FAILED, "step 2 (run) returned SUCCESS (0), expected PARAM_NULLPTR"),
        (Success((0, 0)), seen(steps(7, None)), V.FAILED, "step 1 (workspace) returned 7, expected SUCCESS (0)"),
        (Success((7, 0)), seen(steps(7, None)), V.FAILED, "step 2 (run) was not run"),
        (Success((0, 0)), seen(steps(0)), V.BROKEN, "the runner answers 1 of 2 steps"),
        (Success(untouched=Y), seen(), V.FAILED, "y was written, expected it untouched"),
        (Success(untouched=Y), seen(measured={}, untouched=Y), V.PASSED, ""),
        (Success(), seen(untouched=Y, measured=WRONG), V.FAILED, "y was not written: it still holds the pattern"),
        (Success(), seen(untouched=Y), V.PASSED, ""),  # the golden is the pattern
        (Success(), seen(untouched=Y, in_place=Y), V.PASSED, ""),
        (Success(), seen(measured=WRONG), V.FAILED, "y: "),
        (Success(), seen(measured={}), V.MISTRUSTED, "nothing was compared for y"),
        (Success(), seen(measured=ZERO), V.MISTRUSTED, "y: the golden is zero everywhere"),
        (Success(), seen(measured=NAN), V.MISTRUSTED, "y: the golden is NaN everywhere"),
        (Success(degenerate=Y), seen(measured=ZERO), V.PASSED, ""),
        (Success(), seen(measured=ZERO, vivid=False), V.PASSED, ""),
    ],
)
def test_a_success(expected, observation, verdict, reason):
    judged = judge(expected, observation, STRICT)
    assert judged.verdict is verdict
    assert judged.reason == reason or (reason and reason in judged.reason)


def test_what_cannot_be_judged_is_broken_and_a_wrong_number_comes_first():
    judged = judge(Success(), seen(), NO_RULES)
    assert judged.verdict is V.BROKEN
    assert judged.reason.startswith("cannot judge: y: none has no numbers for float32")
    both = {**RIGHT, "z": measured([np.nan], [1])["y"]}
    assert judge(Success(), seen(measured=both), NO_RULES).verdict is V.FAILED


@pytest.mark.parametrize(
    ("expected", "outcome", "side"),
    [
        (Unspecified("silent", Success(), REFUSAL), DONE, "document"),
        (Unspecified("silent", Success(), REFUSAL), REFUSED, "implementation"),
        (Unspecified("silent", Success(), Success()), DONE, "both"),
        (Unspecified("silent", Success(), REFUSAL), Rejected(Phase.RUN, 7, ""), "neither"),
        (Unspecified("silent"), DONE, None),
    ],
)
def test_an_unspecified_case_says_whose_answer_it_was(expected, outcome, side):
    untouched = Y if isinstance(outcome, Rejected) else frozenset()
    judged = judge(expected, seen(outcome, untouched=untouched), STRICT)
    assert (judged.verdict, judged.side) == (V.UNSPECIFIED, side)
    assert judged.reason.startswith("silent; it was ")
    assert bool(judged.outputs) is (outcome is DONE and side is not None)


def test_an_outcome_in_words():
    assert outcome_words(seen()) == "accepted"
    assert outcome_words(seen(Completed(steps(7).results))) == "completed"
    assert outcome_words(seen(REFUSED)) == "rejected at workspace with PARAM_INVALID (161002)"


def waiver(kind):
    return Waiver(("x",), kind, "known", "u", "o", date(2026, 8, 1), None, Location(Path("w")))


@pytest.mark.parametrize(
    ("verdict", "kind", "excused"),
    [
        (V.FAILED, WaiverKind.WAIVER, V.WAIVED),
        (V.FAILED, WaiverKind.XFAIL, V.WAIVED),
        (V.FAILED, WaiverKind.FLAKY, V.WAIVED),
        (V.FAILED, WaiverKind.SKIP, V.FAILED),
        (V.PASSED, WaiverKind.WAIVER, V.UNEXPECTED_PASS),
        (V.PASSED, WaiverKind.FLAKY, V.PASSED),
        (V.BROKEN, WaiverKind.WAIVER, V.BROKEN),
        (V.MISTRUSTED, WaiverKind.XFAIL, V.MISTRUSTED),
        (V.UNSPECIFIED, WaiverKind.WAIVER, V.UNSPECIFIED),
    ],
)
def test_waivers_excuse_failures_alone(verdict, kind, excused):
    assert excuse(Judged(verdict, "why"), waiver(kind)).verdict is excused
    assert excuse(Judged(verdict, "why"), None) == Judged(verdict, "why")


def test_which_verdicts_are_red_and_which_were_executed():
    assert {v for v in V if v.is_red} == {V.FAILED, V.UNEXPECTED_PASS, V.MISTRUSTED, V.BROKEN, V.NOT_RUN}
    assert {v for v in V if not v.was_executed} == {V.UNSUPPORTED, V.BROKEN, V.SKIPPED, V.NOT_RUN}
