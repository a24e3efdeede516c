"""The journal: what stands in it when a run is killed."""

import fakes
import pytest
from tiny import prelu_cases, prelu_group, session

from conformance.supervise import Journal, Supervisor
from conformance.verdict import Verdict
from runners.reference.runner import ReferenceRunner


def test_the_first_line_of_the_journal_is_the_case_about_to_run_and_nothing_is_left_at_the_end(tmp_path):
    path = tmp_path / "build" / "record.running"
    journal = Journal(path)
    journal.begin("activation.silu.a_long_name.h00000001")
    journal.begin("short.h2")
    assert path.read_text(encoding="utf-8").split("\n")[0] == "short.h2"
    assert path.read_text(encoding="utf-8").split() == ["short.h2"]
    journal.end()
    assert not path.exists()


def test_a_journal_that_names_nothing_leaves_no_file(tmp_path):
    Journal(tmp_path / "record.running").end()
    assert list(tmp_path.iterdir()) == []


class Killed(BaseException):
    """Ends everything at once."""


class Killing:
    """Something that is killed the second time it is asked to do something."""

    def __init__(self, does):
        self._does, self._calls = does, 0

    def __call__(self, *given):
        self._calls += 1
        if self._calls == 2:
            raise Killed
        return self._does(*given)


@pytest.mark.parametrize(("who", "does"), [("runner", "run"), ("reference", "golden")])
def test_the_journal_names_the_case_at_which_a_run_is_killed(who, does, tmp_path, monkeypatch):
    cases = prelu_cases(tmp_path / "data", *(prelu_group(name) for name in ("first", "second", "third")))
    other = {"runner": fakes.Honest(), "reference": ReferenceRunner()}[who]
    monkeypatch.setattr(other, does, Killing(getattr(other, does)))
    journal = tmp_path / "record.running"
    with pytest.raises(Killed):
        list(Supervisor(session(**{who: other}), Journal(journal)).execute_all(cases))
    assert journal.read_text(encoding="utf-8").strip() == cases[1].id


def test_once_the_infrastructure_is_lost_no_case_is_run(tmp_path):
    cases = prelu_cases(tmp_path / "data", *(prelu_group(name) for name in ("first", "second", "third")))
    supervisor = Supervisor(session())
    results = supervisor.execute_all(cases)
    assert next(results).judged.verdict is Verdict.PASSED
    supervisor.lost = "the machine is gone"
    assert [(one.judged.verdict, one.judged.reason) for one in results] == [(Verdict.NOT_RUN, supervisor.lost)] * 2
