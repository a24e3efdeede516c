"""One simulator, two ways in: called in Python and through the simulated CANN's C ABI it gets the same verdicts."""

from hashlib import sha256

from shipped import shipped_cases
from tiny import session

from conformance.isolate import IsolatedRunner
from conformance.supervise import Supervisor

ONE_IN = 40
"""The share of the cases that is compared here; ``make cases-aclnn`` runs them all."""


def sampled(case):
    return int(sha256(case.id.encode()).hexdigest(), 16) % ONE_IN == 0


def answers(runner, cases):
    """Verdict, and whose answer it was, by id."""
    supervisor = Supervisor(session(runner))
    try:
        judged = {case.id: supervisor.execute(case).judged for case in cases}
    finally:
        supervisor.close()
    return {case_id: (one.verdict.value, one.side) for case_id, one in judged.items()}


def test_the_abi_changes_no_verdict(cann):
    cases = [case for case in shipped_cases() if sampled(case) and "ascend910b" in case.products]
    assert len(cases) > 300
    direct, through_abi = answers(None, cases), answers(IsolatedRunner("aclnn", {"cann": str(cann)}), cases)
    assert {
        case_id: (direct[case_id], answer) for case_id, answer in through_abi.items() if answer != direct[case_id]
    } == {}
    assert {verdict for verdict, _ in through_abi.values()} <= {"passed", "unspecified"}
