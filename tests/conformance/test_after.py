"""Calls before a case's own call: what ``after`` names, what is made of it, and what becomes of the case."""

import fakes
import pytest
from tiny import cases_of, group, prelu_cases, prelu_group, problems_of, refusal, session, with_arguments

from conformance.call import Action, Step
from conformance.case import TensorSpec
from conformance.execute import Session
from conformance.explain import describe_earlier
from conformance.isolate import IsolatedRunner
from conformance.outcome import Broken, Crashed, TimedOut, Unsupported
from conformance.select import Limits
from conformance.show import show_case
from conformance.verdict import Verdict

WIDE = {"dtype": "$dtype", "shape": [2, 5]}


def after(*names, **changes):
    """A group like ``plain`` that comes after others."""
    return {"name": "last", "about": "comes after others", "like": "plain", "after": [*names], **changes} | {
        "expect": changes.get("expect", "success")
    }


def tiny_groups(*last):
    plain = {**with_arguments(x={**WIDE, "shape": [2, 3]}), "axes": {"dtype": ["float16", "float32"]}}
    return plain, {**plain, **with_arguments("wide", x=WIDE, y=WIDE), "about": "another shape"}, *last


def test_the_earlier_calls_have_the_axis_values_of_the_case(tmp_path):
    cases = cases_of(tmp_path, *tiny_groups(after("wide", "plain")))
    for case in (case for case in cases if case.group == "last"):
        assert [earlier.group for earlier in case.after] == ["wide", "plain"]
        wide = case.after[0].arguments["x"]
        assert isinstance(wide, TensorSpec)
        assert (wide.shape, wide.dtype) == ((2, 5), case.arguments["x"].dtype)
        assert "sequence" in case.facets


def test_what_comes_before_is_part_of_the_id(tmp_path):
    one, two = (
        cases_of(tmp_path / str(number), *tiny_groups(after(*names)))[-1].id
        for number, names in enumerate([["wide"], ["wide", "wide"]])
    )
    alone = cases_of(tmp_path / "alone", *tiny_groups(group("last", like="plain", arguments={})))[-1].id
    assert len({one, two, alone}) == 3
    assert {case_id.rpartition(".")[0] for case_id in (one, two, alone)} == {"demo.tiny.numeric.last.fp32"}


def test_like_does_not_inherit_after(tmp_path):
    heir = {"name": "heir", "about": "like the last", "like": "last", "expect": "success"}
    assert cases_of(tmp_path, *tiny_groups(after("wide"), heir))[-1].after == ()


def test_an_earlier_call_has_the_steps_of_its_group(tmp_path):
    refused = {**group("refused", like="plain", steps=["workspace"], expect=refusal()), "arguments": {"y": WIDE}}
    case = cases_of(tmp_path, *tiny_groups(refused, after("refused")))[-1]
    assert [earlier.steps for earlier in case.earlier] == [(Step(Action.WORKSPACE),)]


@pytest.mark.parametrize(
    ("last", "message"),
    [
        (after("nobody"), "at /groups/2/after: group 'last': after 'nobody', which is no group of this file"),
        (after("last"), "after 'last', which is more than one call (name a group of one call)"),
        (after("wide", like=None, **with_arguments("last")), "whose axis 'dtype' this group has not"),
        (after(axes={"dtype": ["float32"]}) | {"after": "wide"}, "/groups/2/after"),
    ],
)
def test_what_cannot_come_before(last, message, tmp_path):
    problems = problems_of(tmp_path, *tiny_groups({key: value for key, value in last.items() if value is not None}))
    assert len(problems) == 1, problems
    assert message in problems[0]


def test_an_axis_value_that_the_earlier_group_cannot_use(tmp_path):
    plain = {**with_arguments(x={"dtype": "$kind.a", "shape": [2, 3]}), "axes": {"kind": [{"value": {"a": "float32"}}]}}
    last = after("plain", axes={"kind": [{"value": {"b": "float32"}}]}, arguments={"x": {"dtype": "float32"}})
    (problem,) = problems_of(tmp_path, plain, last)
    assert "after 'plain': $kind.a: a value of axis 'kind' has no key 'a'" in problem


class Listening(fakes.Honest):
    """The simulator, remembering the shapes and data it was given."""

    def __init__(self):
        super().__init__()
        self.heard = []

    def run(self, call):
        self.heard.append((call.arguments["self"].shape, call.arguments["self"].array().tobytes()))
        return super().run(call)


def prelu_sequence(tmp_path, *names, **changes):
    """The case that comes after the groups named, of ``random`` and ``long``."""
    random = prelu_group("random", shape=(4, 2))
    random["arguments"]["self"].pop("values")
    groups = [random, prelu_group("long", shape=(9, 2))]
    last = {"name": "last", "about": "comes last", "like": "random", "after": [*names], "expect": "success", **changes}
    return prelu_cases(tmp_path, *groups, last)[-1]


def test_the_calls_are_made_in_order_with_data_of_their_own(tmp_path):
    runner = Listening()
    result = session(runner).execute(prelu_sequence(tmp_path, "long", "random"))
    assert result.judged.verdict is Verdict.PASSED
    assert [shape for shape, _ in runner.heard] == [(9, 2), (4, 2), (4, 2)]
    assert runner.heard[1][1] != runner.heard[2][1]


class Faulty(fakes.Honest):
    """Does something to the long call alone."""

    def __init__(self, act):
        super().__init__()
        self._act = act

    def lie(self, call, outcome):
        return self._act() if call.arguments["self"].shape == (9, 2) else None


def test_what_an_earlier_call_computes_or_refuses_is_nobodys_business(tmp_path):
    case = prelu_sequence(tmp_path, "long")
    wrong = session(Faulty(lambda: fakes.Rejected(fakes.Phase.RUN, 561000, "no"))).execute(case)
    assert wrong.judged.verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("outcome", "verdict", "reason"),
    [
        (
            Crashed(11, "signal 11, SIGSEGV"),
            Verdict.FAILED,
            "crashed (signal 11, SIGSEGV, in the call before it, long)",
        ),
        (Crashed(11), Verdict.FAILED, "crashed (signal 11, in the call before it, long)"),
        (TimedOut(2.0), Verdict.FAILED, "timed out after 2 s in the call before it, long"),
        (Unsupported("no kernel"), Verdict.UNSUPPORTED, "in the call before it, long: no kernel"),
        (Broken("no device"), Verdict.BROKEN, "in the call before it, long: no device"),
    ],
)
def test_an_earlier_call_that_does_not_return_is_the_cases_outcome(outcome, verdict, reason, tmp_path):
    judged = session(Faulty(lambda: outcome)).execute(prelu_sequence(tmp_path, "long")).judged
    assert (judged.verdict, judged.reason) == (verdict, reason)


def test_data_of_an_earlier_call_that_does_not_fit_is_broken(tmp_path):
    case = prelu_sequence(tmp_path, "long")
    case.after[0].arguments["self"].values.argument.append("no number")
    assert session().execute(case).judged.verdict is Verdict.BROKEN


def test_all_calls_of_a_case_are_made_in_one_child(tmp_path):
    case = prelu_sequence(tmp_path, "long", "random")
    runner = IsolatedRunner(f"{fakes.__file__}:Honest")
    try:
        trial: Session = session(runner)
        assert trial.execute(case).judged.verdict is Verdict.PASSED
        assert runner.starts == 1
    finally:
        runner.close()


def test_size_limits_look_at_the_earlier_calls_too(tmp_path):
    judged = session(limits=Limits(17)).execute(prelu_sequence(tmp_path, "long")).judged
    assert (judged.verdict, judged.reason) == (Verdict.SKIPPED, "18 elements, --max-elements is 17")


def test_the_earlier_calls_are_told(tmp_path):
    (line,) = describe_earlier(prelu_sequence(tmp_path, "long"))
    assert line.startswith("  after     long: aclnnPreluBackward(gradOutput float32[9, 2], self float32[9, 2], ")
    assert line.endswith("gradWeight float32[2])")


def test_show_tells_them_too(tmp_path):
    text = show_case(prelu_sequence(tmp_path, "random", "long"), session())
    assert [line.split(":")[0] for line in text.splitlines() if line.startswith("  after")] == [
        "  after     random",
        "  after     long",
    ]
