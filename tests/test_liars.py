"""Each lying runner gets the verdict it deserves, and the honest simulator passes the same cases."""

from pathlib import Path

import fakes
import pytest
from tiny import prelu_cases, prelu_group, refusal, session

from conformance.isolate import IsolatedRunner
from conformance.outcome import Completed, Crashed, TimedOut
from conformance.verdict import Verdict

FAKES = Path(fakes.__file__)


def arguments(group, **changes):
    """The group with keys of some arguments changed."""
    merged = {name: {**argument, **changes.get(name, {})} for name, argument in group["arguments"].items()}
    return {**group, "arguments": merged}


SLICE = [
    prelu_group("rows"),
    prelu_group("long", shape=(3, 5000)),
    prelu_group("cube", shape=(2, 3, 3)),
    arguments(prelu_group("strided"), gradInput={"layout": {"step": 2}}),
    arguments(prelu_group("special"), gradOutput={"values": {"list": [1, "nan", 2, -3, 1, 4, "inf", 5]}}),
    {
        "name": "refused",
        "about": "weight has another element type than the rest",
        "like": "rows",
        "arguments": {"weight": {"dtype": "float16"}},
        "expect": refusal(),
    },
    prelu_group("statuses", steps=[{"do": "workspace"}, {"do": "run"}]),
]
EVERY = ("rows", "long", "cube", "strided", "special", "refused", "statuses")
F, B, U = Verdict.FAILED, Verdict.BROKEN, Verdict.UNSUPPORTED
DESERVED = [
    (fakes.WrongSign, ("rows", "long", "cube", "strided"), F, "gradInput: "),
    (fakes.OneUlpOff, ("rows", "long", "cube", "strided"), F, "gradInput: "),
    (fakes.WrongTail, ("rows", "long", "cube"), F, "gradInput: "),
    (fakes.WritesNothing, ("rows", "long", "strided", "special"), F, "was not written: it still holds the pattern"),
    (fakes.SkipsOneOutput, ("rows", "long", "strided"), F, "gradWeight was not written"),
    (fakes.WritesPastOutput, ("rows", "strided", "refused"), F, "gradInput: memory written 5 bytes past its end"),
    (fakes.WritesBeforeOutput, ("rows", "refused"), F, "gradInput: memory written 1 bytes before its start"),
    (fakes.WritesPastWorkspace, ("rows", "strided"), F, "workspace: memory written 0 bytes past its end"),
    (fakes.WritesIntoGaps, ("strided",), F, "gradInput: byte 4 of the storage is outside the view and changed"),
    (fakes.ChangesAnInput, ("rows", "long", "special"), F, "weight: an input was modified"),
    (fakes.WrongStatus, ("refused",), F, "but it was rejected at workspace with INNER_NULLPTR (561103)"),
    (fakes.RefusesTooLate, ("refused",), F, "but it was rejected at run with PARAM_INVALID (161002)"),
    (fakes.AcceptsEverything, ("refused",), F, "expected refusal at workspace"),
    (fakes.RefusesEverything, ("rows", "special"), F, "expected success, but it was rejected at workspace"),
    (fakes.WritesOnRefusal, ("refused",), F, "refused, but gradInput was written"),
    (fakes.NanToZero, ("special",), F, "NaN or infinity on one side only"),
    (fakes.GreaterOrEqual, ("rows", "long"), F, "gradInput: "),
    (fakes.LastAxisWeights, ("cube",), F, "gradInput: "),
    (fakes.Raises, EVERY, B, "the runner raised RuntimeError: out of luck"),
    (fakes.AnswersNothing, EVERY, B, "the runner returned None, which is no outcome"),
    (fakes.AnswersHalf, ("statuses",), B, "the runner answers 1 of 2 steps"),
    (fakes.SupportsNothing, EVERY, U, "not today"),
    (fakes.LiesAboutSupport, EVERY, U, "it turns out not"),
    (fakes.RaisesWhenAsked, EVERY, B, "the runner cannot say what it supports: do not ask"),
]
IN_A_CHILD = [
    (fakes.Crashes, F, "crashed (signal 11, SIGSEGV)"),
    (fakes.Exits, F, "crashed (exit status 3)"),
    (fakes.Hangs, F, "timed out after 0.5 s"),
    (fakes.Raises, B, "RuntimeError: out of luck"),
    (fakes.CannotBeSent, B, "an answer that cannot be sent to another process"),
    (fakes.WrongSign, F, "gradInput: "),
    (fakes.WritesPastOutput, F, "gradInput: memory written 5 bytes past its end"),
    (fakes.WritesPastWorkspace, F, "workspace: memory written 0 bytes past its end"),
]


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """The slice: one case a group."""
    return {case.group: case for case in prelu_cases(tmp_path_factory.mktemp("slice"), *SLICE)}


@pytest.mark.parametrize("name", EVERY)
def test_the_honest_simulator_passes(name, cases):
    assert session(fakes.Honest()).execute(cases[name]).judged.verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("liar", "names", "verdict", "reason"), DESERVED, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_liar_gets_what_it_deserves(liar, names, verdict, reason, cases):
    trial = session(liar())
    for name in names:
        judged = trial.execute(cases[name]).judged
        assert judged.verdict is verdict, name
        assert reason in judged.reason


@pytest.mark.parametrize(("liar", "verdict", "reason"), IN_A_CHILD, ids=lambda value: getattr(value, "__name__", None))
def test_a_liar_in_a_child_process(liar, verdict, reason, cases):
    runner = IsolatedRunner(f"{FAKES}:{liar.__name__}")
    try:
        judged = session(runner, deadline=0.5).execute(cases["rows"]).judged
    finally:
        runner.close()
    assert judged.verdict is verdict
    assert reason in judged.reason


def test_the_next_case_after_a_crash_or_a_hang_gets_a_new_child(cases):
    for liar, outcome in ((fakes.Crashes, Crashed), (fakes.Hangs, TimedOut)):
        runner = IsolatedRunner(f"{FAKES}:{liar.__name__}")
        try:
            trial = session(runner, deadline=0.2)
            seen = [trial.execute(cases[name]).observation.outcome for name in ("rows", "refused")]
        finally:
            runner.close()
        assert [type(one) for one in seen] == [outcome, outcome]


def test_the_honest_simulator_passes_in_a_child(cases):
    runner = IsolatedRunner(f"{FAKES}:Honest")
    try:
        results = [session(runner).execute(cases[name]) for name in EVERY]
    finally:
        runner.close()
    assert {result.judged.verdict for result in results} == {Verdict.PASSED}
    assert isinstance(results[0].observation.outcome, Completed)
