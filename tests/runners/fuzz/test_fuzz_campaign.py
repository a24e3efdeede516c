"""Each of ten planted faults is found, made small, and written as a case file that shows it again."""

from math import inf

import planted
import pytest
from tiny import session

from conformance.corpus import load_corpus
from conformance.lint import lint_corpus
from conformance.load import load_contracts
from conformance.verdict import Verdict
from runners.fuzz.campaign import Search, fuzz
from runners.fuzz.findings import write_finding
from runners.variants.catalogue import VARIANTS

SECONDS, ELEMENTS = 60.0, 8
FAULTS = [
    (planted.NanDropped, "aclnnSilu", "golden"),
    (planted.GreaterOrEqual, "aclnnPreluBackward", "golden"),
    (planted.StridesIgnored, "aclnnSiluBackward", "golden"),
    (planted.OffsetIgnored, "aclnnSilu", "golden"),
    (planted.WrongTail, "aclnnSeluBackward", "golden"),
    (planted.WrongBroadcast, "aclnnPreluBackward", "golden"),
    (planted.Truncates, "aclnnSilu", "golden"),
    (planted.WrongStatus, "aclnnSoftmaxBackward", "refusal"),
    (planted.WritesPastTheEnd, "aclnnHardshrink", "golden"),
    (planted.LastAxisWeights, "aclnnPreluBackward", "golden"),
]


@pytest.mark.parametrize(("fault", "api", "kind"), FAULTS, ids=[fault.__name__ for fault, _, _ in FAULTS])
def test_a_planted_fault_is_found_and_made_small(fault, api, kind, tmp_path):
    liar = session(fault())
    (finding,) = fuzz(liar, load_contracts()[api], Search(SECONDS, findings=1), tmp_path).findings
    assert finding.attempt.property == kind
    assert finding.attempt.elements <= ELEMENTS
    assert finding.found_after < SECONDS

    corpus = load_corpus([write_finding(finding.attempt, liar, tmp_path)])
    assert [*corpus.problems, *lint_corpus(corpus, whole=False)] == []
    assert liar.execute(corpus.cases[-1]).judged.verdict is Verdict.FAILED
    assert {session().execute(case).judged.verdict for case in corpus.cases} == {Verdict.PASSED}


def test_the_same_seed_makes_the_same_finding(tmp_path):
    contract = load_contracts()["aclnnSilu"]
    findings = [
        fuzz(session(planted.OffsetIgnored()), contract, Search(SECONDS, 7, findings=1), tmp_path).findings[0]
        for _ in range(2)
    ]
    assert findings[0].attempt == findings[1].attempt


def test_each_property_is_found_once_and_the_search_goes_on(tmp_path):
    outcome = fuzz(session(planted.WrongStatus()), load_contracts()["aclnnSilu"], Search(inf, calls=600), tmp_path)
    assert len({finding.attempt.property for finding in outcome.findings}) == len(outcome.findings)
    assert outcome.looked_at["golden"] > 20


def test_the_honest_simulator_is_not_accused(tmp_path):
    left = {"golden", "refusal", "repeat", "layout", "reversal", "split", "scaling"}
    outcome = fuzz(session(), load_contracts()["aclnnHardshrinkBackward"], Search(inf, calls=1500), tmp_path)
    assert outcome.findings == ()
    assert {name for name, count in outcome.looked_at.items() if count} >= left


@pytest.mark.parametrize(
    ("variant", "api"),
    [
        ("sequential", "aclnnPreluBackward"),
        ("other_readings", "aclnnHardshrinkBackward"),
        ("coarse_functions", "aclnnSiluBackward"),
        ("flush_operands", "aclnnPrelu"),
        ("zero_signs", "aclnnHardshrink"),
        ("float64", "aclnnSoftmaxBackward"),
    ],
)
def test_a_sound_variant_is_not_accused(variant, api, tmp_path):
    outcome = fuzz(session(VARIANTS[variant].make()), load_contracts()[api], Search(inf, calls=500), tmp_path)
    assert [(finding.attempt.property, finding.reason) for finding in outcome.findings] == []
    assert outcome.looked_at["golden"] > 0


def test_a_fault_of_the_suite_is_a_finding_too(tmp_path):
    class Raises(planted.Planted):
        def after(self, call, outcome):
            raise RuntimeError("out of luck")

    (finding,) = fuzz(
        session(Raises()), load_contracts()["aclnnSilu"], Search(inf, findings=1, calls=100), tmp_path
    ).findings
    assert "out of luck" in finding.reason
