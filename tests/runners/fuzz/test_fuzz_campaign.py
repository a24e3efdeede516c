"""Each of ten planted faults is found, made small, and written as a case file that shows it again."""

import planted
import pytest
from tiny import session

from conformance.corpus import load_corpus
from conformance.lint import lint_corpus
from conformance.load import load_contracts
from conformance.verdict import Verdict
from runners.fuzz.campaign import Search, fuzz
from runners.fuzz.findings import write_finding

SECONDS = 60.0
EASY = 8
"""Elements of the largest tensor."""
FAULTS = [
    (planted.NanDropped, "aclnnSilu", "golden", EASY),
    (planted.GreaterOrEqual, "aclnnPreluBackward", "golden", EASY),
    (planted.StridesIgnored, "aclnnSiluBackward", "golden", EASY),
    (planted.OffsetIgnored, "aclnnSilu", "golden", EASY),
    (planted.WrongTail, "aclnnSeluBackward", "golden", EASY),
    (planted.WrongBroadcast, "aclnnPreluBackward", "golden", EASY),
    (planted.Truncates, "aclnnSilu", "golden", EASY),
    (planted.WrongStatus, "aclnnSoftmaxBackward", "refusal", EASY),
    (planted.WritesPastTheEnd, "aclnnHardshrink", "golden", EASY),
    (planted.LastAxisWeights, "aclnnPreluBackward", "golden", EASY),
]


@pytest.mark.parametrize(("fault", "api", "kind", "elements"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_is_found_and_made_small(fault, api, kind, elements, tmp_path):
    liar = session(fault())
    outcome = fuzz(liar, load_contracts()[api], Search(SECONDS, seed=0, findings=1), tmp_path)
    (finding,) = outcome.findings
    print(fault.__name__, finding.found_after, finding.shrunk_in, finding.attempt.elements, finding.attempt.groups)
    assert finding.attempt.property == kind
    assert finding.attempt.elements <= elements

    path = write_finding(finding.attempt, liar, tmp_path)
    corpus = load_corpus([path])
    assert [*corpus.problems, *lint_corpus(corpus, whole=False)] == []
    assert liar.execute(corpus.cases[-1]).judged.verdict is Verdict.FAILED
    assert {session().execute(case).judged.verdict for case in corpus.cases} == {Verdict.PASSED}
