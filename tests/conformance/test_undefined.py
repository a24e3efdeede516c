"""A case of undefined behaviour in a child process: whatever it does, it costs nobody else anything."""

import fakes
import pytest
from tiny import prelu_cases, prelu_group, session

from conformance.isolate import IsolatedRunner
from conformance.supervise import Supervisor
from conformance.verdict import Verdict

EXPECT = {"unspecified": "nothing is defined", "crash": True}


def verdicts(groups, tmp_path, restarts=100):
    """Verdict of every group's case, and how many children it took."""
    runner = IsolatedRunner(f"{fakes.__file__}:PoisonedByFiveRows")
    supervisor = Supervisor(session(runner), restarts=restarts)
    try:
        results = [supervisor.execute(case) for case in prelu_cases(tmp_path, *groups)]
        return [result.judged.verdict for result in results], results, runner.starts
    finally:
        supervisor.close()


def undefined(name, rows):
    return {**prelu_group(name, shape=(rows, 2)), "expect": EXPECT}


@pytest.mark.parametrize("rows", [4, 5], ids=["dies", "poisons"])
def test_the_next_case_gets_a_fresh_process(rows, tmp_path):
    groups = [prelu_group("first", shape=(3, 2)), undefined("undefined", rows), prelu_group("last", shape=(6, 2))]
    found, results, starts = verdicts(groups, tmp_path)
    assert found == [Verdict.PASSED, Verdict.UNSPECIFIED, Verdict.PASSED]
    assert results[1].second is None, "there is nothing to try again"
    assert starts == 2


def test_its_processes_are_not_counted_as_lost(tmp_path):
    groups = [*(undefined(f"undefined{n}", 4) for n in range(3)), prelu_group("last", shape=(6, 2))]
    found, _, starts = verdicts(groups, tmp_path, restarts=1)
    assert found == [Verdict.UNSPECIFIED] * 3 + [Verdict.PASSED]
    assert starts == 4


def test_a_crash_that_is_not_admitted_still_counts(tmp_path):
    groups = [prelu_group("dies", shape=(4, 2)), prelu_group("last", shape=(6, 2))]
    found, _, _ = verdicts(groups, tmp_path, restarts=1)
    assert found == [Verdict.FAILED, Verdict.NOT_RUN]
