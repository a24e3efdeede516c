"""One case in, one result out: whose fault is booked on whom."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from msgspec import structs
from tiny import prelu_cases, prelu_group, session

from conformance.errors import BrokenReference
from conformance.golden import GoldenOutput
from conformance.outcome import Unsupported
from conformance.runner import RunnerInfo
from conformance.select import Limits
from conformance.verdict import Verdict
from runners.reference.runner import ReferenceRunner

V = Verdict


@dataclass(slots=True)
class Oracle:
    """A reference that answers what it is given, or raises it."""

    answer: object = None
    benchmark_answer: object = None
    asked: list = field(default_factory=list)

    def describe(self):
        return RunnerInfo("oracle", "1")

    def golden(self, call):
        self.asked.append(call.api)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer if self.answer is not None else ReferenceRunner().golden(call)

    def benchmark(self, call):
        if isinstance(self.benchmark_answer, Exception):
            raise self.benchmark_answer
        return self.benchmark_answer


@pytest.fixture
def case(tmp_path):
    return prelu_cases(tmp_path)[0]


def golden(value, **rest):
    return {"gradInput": GoldenOutput(np.array(value, np.float64), **rest)}


@pytest.mark.parametrize(
    ("oracle", "reason"),
    [
        (Oracle(ValueError("no such thing")), "the reference raised ValueError: no such thing"),
        (Oracle(Unsupported("no formula")), "no golden: no formula"),
        (Oracle(golden([1, 2])), "gradInput: golden has shape (2,), the output (4, 2)"),
        (Oracle(golden(np.zeros((4, 2)), terms=np.zeros(3))), "gradInput: golden has shape (3,)"),
        (Oracle({"other": GoldenOutput(np.zeros(1))}), "the reference answers other, which the call has no output for"),
        (Oracle(None, KeyError("self")), "the benchmark raised KeyError: 'self'"),
    ],
)
def test_a_fault_of_the_reference_is_broken_and_the_implementation_is_not_asked(oracle, reason, case):
    class NeverAsked(ReferenceRunner):
        def run(self, call):
            raise AssertionError

    judged = session(NeverAsked(), reference=oracle).execute(case).judged
    assert judged.verdict is V.BROKEN
    assert judged.reason.startswith(reason)


@pytest.mark.parametrize(("stated", "verdict"), [([0.5, 0], V.PASSED), ([0.5, 1], V.BROKEN)])
def test_values_that_the_document_states_must_be_those_of_the_reference(stated, verdict, tmp_path):
    body = prelu_group(shape=(1, 2), expect={"success": {"outputs": {"gradWeight": stated}}})
    body["arguments"]["gradOutput"]["values"] = {"list": [-0.5, 2]}
    body["arguments"]["self"]["values"] = {"list": [-1, 2]}
    result = session().execute(prelu_cases(tmp_path, body)[0])
    assert result.judged.verdict is verdict
    assert (
        verdict is V.PASSED
        or "the document states [0.5, 1.0], the reference computes [0.5, 0.0]" in result.judged.reason
    )


def test_an_output_without_golden_is_mistrusted(case):
    only = dict(ReferenceRunner().golden(session().make_call(case)))
    del only["gradWeight"]
    judged = session(reference=Oracle(only)).execute(case).judged
    assert (judged.verdict, judged.reason) == (V.MISTRUSTED, "nothing was compared for gradWeight")


def test_a_stated_value_without_golden_is_broken(tmp_path):
    body = prelu_group(expect={"success": {"outputs": {"gradWeight": [1, 2]}}})
    case = prelu_cases(tmp_path, body)[0]
    only = {"gradInput": ReferenceRunner().golden(session().make_call(case))["gradInput"]}
    judged = session(reference=Oracle(only)).execute(case).judged
    assert judged.reason == "gradWeight: the document states [1.0, 2.0], the reference computes nothing"


def test_no_golden_is_asked_for_a_call_that_cannot_succeed(tmp_path):
    null = {
        "name": "null",
        "about": "a null pointer nobody has an answer to",
        "like": "rows",
        "arguments": {"self": None},
    }
    silent = {"unspecified": "the document is silent"}
    refused = {"unspecified": "both refuse", "document": {"reject": "PARAM_NULLPTR", "phase": "workspace"}}
    bodies = [{**null, "expect": silent}, {**null, "name": "both", "about": "as above", "expect": refused}]
    oracle = Oracle()
    results = [session(reference=oracle).execute(case) for case in prelu_cases(tmp_path, prelu_group(), *bodies)]
    assert [result.judged.verdict for result in results] == [V.PASSED, V.UNSPECIFIED, V.UNSPECIFIED]
    assert [result.judged.side for result in results] == [None, None, "document"]
    assert len(oracle.asked) == 1


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [
        ("success", V.BROKEN),
        ({"unspecified": "no document", "implementation": "success"}, V.UNSPECIFIED),
        ({"unspecified": "both take it", "document": "success", "implementation": "success"}, V.BROKEN),
    ],
)
def test_a_formula_need_not_fit_what_no_document_admits(expect, verdict, tmp_path):
    oracle = Oracle(BrokenReference("the formula gives another shape"))
    [case] = prelu_cases(tmp_path, {**prelu_group(), "expect": expect})
    judged = session(reference=oracle).execute(case).judged
    assert judged.verdict is verdict
    assert judged.side == ("implementation" if verdict is V.UNSPECIFIED else None)


def test_what_the_benchmark_computes_is_measured_too(case):
    result = session(standard="strict").execute(case)
    measured = result.observation.measured
    assert measured["gradInput"].benchmark.count == 8
    assert session(reference=Oracle()).execute(case).observation.measured["gradInput"].benchmark is None


def test_data_that_does_not_fit_is_broken(case):
    x = structs.replace(
        case.arguments["self"], values=structs.replace(case.arguments["self"].values, kind="list", argument=[1])
    )
    judged = session().execute(structs.replace(case, arguments={**case.arguments, "self": x})).judged
    assert (judged.verdict, judged.reason) == (V.BROKEN, "self: a list of 1 values for 8 elements")


def test_flat_inputs_may_have_flat_outputs(tmp_path):
    body = prelu_group()
    for name in ("gradOutput", "self", "weight"):
        body["arguments"][name]["values"] = {"constant": 0}
    assert session().execute(prelu_cases(tmp_path, body)[0]).judged.verdict is V.PASSED
    body["arguments"]["weight"]["values"] = {"constant": "nan"}
    (case,) = prelu_cases(tmp_path / "nan", body)
    assert session().execute(case).judged.verdict is V.PASSED


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"product": "ascend310p"}, "not a case for ascend310p"),
        ({"limits": Limits(7)}, "8 elements, --max-elements is 7"),
    ],
)
def test_what_is_not_run_says_why(settings, reason, case):
    result = session(**settings).execute(case)
    assert (result.judged.verdict, result.judged.reason, result.observation) == (V.SKIPPED, reason, None)


def test_a_deadline_of_the_session_replaces_the_cases_own(case):
    assert session().make_call(case).deadline == 60
    assert session(deadline=2.5).make_call(case).deadline == 2.5
