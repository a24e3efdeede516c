"""Failures of one kind have one signature, whatever their figures are."""

import pytest
from tiny import prelu_cases, prelu_group, refusal

from conformance.call import DEFAULT_STEPS
from conformance.fingerprint import fingerprint
from conformance.guard import MemoryFault, MemoryRule
from conformance.outcome import Broken, Completed, Crashed, Phase, Rejected, StepResult, TimedOut
from conformance.patterns import Diagnosis, Pattern
from conformance.verdict import Judged, Observation, Verdict

REFUSED = {
    "name": "refused",
    "about": "weight has another element type",
    "like": "rows",
    "exercises": ["c2"],
    "arguments": {"weight": {"dtype": "int8"}},
    "expect": refusal(),
}
STATUSES = prelu_group("statuses", steps=[{"do": "workspace"}, {"do": "run"}])
HALF = Completed((StepResult(DEFAULT_STEPS[0], 0), StepResult(DEFAULT_STEPS[1], None)))
REJECTED = Rejected(Phase.RUN, 161001, "line 7 of file 3")


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    return {c.group: c for c in prelu_cases(tmp_path_factory.mktemp("data"), prelu_group(), REFUSED, STATUSES)}


@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("rows", Crashed(11), "crashed with SIGSEGV"),
        ("rows", Crashed(0, "exit status 3"), "ended: exit status 3"),
        ("rows", TimedOut(2.5), "timed out"),
        ("rows", REJECTED, "expected success, got PARAM_NULLPTR (161001) at run"),
        ("refused", Completed(()), "expected PARAM_INVALID (161002) at workspace, got success [c2]"),
        ("refused", REJECTED, "expected PARAM_INVALID (161002) at workspace, got PARAM_NULLPTR (161001) at run [c2]"),
        ("statuses", HALF, "expected SUCCESS (0) of run, got nothing"),
        ("rows", Completed(()), "a reason with # figures"),
    ],
)
def test_signatures_of_outcomes(name, outcome, words, cases):
    judged = Judged(Verdict.FAILED, "a reason with 3.5e-7 figures")
    assert fingerprint(cases[name], judged, Observation(outcome), {}) == words


def test_a_signature_of_wrong_numbers_names_output_and_pattern(cases):
    found = {"y": Diagnosis(Pattern.TAIL, "3 of 9"), "z": Diagnosis(Pattern.NAN, "9 of 9")}
    words = fingerprint(cases["rows"], Judged(Verdict.WAIVED), Observation(Completed(())), found)
    assert words == "y: only the tail beyond whole blocks is wrong; z: NaN in place of a number"


def test_a_signature_of_broken_memory_names_rule_and_argument(cases):
    faults = tuple(MemoryFault(MemoryRule.GAP, "y", f"byte {n}") for n in (1, 2))
    seen = Observation(Completed(()), faults=faults)
    assert fingerprint(cases["rows"], Judged(Verdict.FAILED), seen, {}) == "y: gap memory"


@pytest.mark.parametrize(
    ("verdict", "words"), [(Verdict.PASSED, None), (Verdict.SKIPPED, None), (Verdict.BROKEN, "line # is wrong")]
)
def test_only_what_is_red_or_waived_has_a_signature(verdict, words, cases):
    assert fingerprint(cases["rows"], Judged(verdict, "line 3 is wrong\nTraceback"), None, {}) == words
    assert fingerprint(cases["rows"], Judged(verdict, "line 3 is wrong"), Observation(Broken("x")), {}) == words
