"""Calls that are sent ahead end as if each had been asked for in its turn."""

from time import monotonic

import fakes
import pytest
from tiny import prelu_cases, prelu_group, session

from conformance.answer_log import LOG_BYTES
from conformance.exchange import is_light, memories_of
from conformance.isolate import IsolatedRunner
from conformance.outcome import Broken, Completed, Crashed, TimedOut
from conformance.supervise import Supervisor

TURNING = """
import os, time
from msgspec import structs
from fakes import Honest

class Counts(Honest):
    '''Says in its facts which run of its process each was; what happens at the third is for others to say.'''

    runs = 0

    def lie(self, call, outcome):
        self.runs += 1
        if self.runs == 3:
            self.third(call)
        return structs.replace(outcome, facts={"run": str(self.runs)})

    def third(self, call):
        pass

class Dies(Counts):
    def third(self, call):
        os._exit(3)

class Hangs(Counts):
    def third(self, call):
        time.sleep(600)

class Dawdles(Counts):
    def lie(self, call, outcome):
        time.sleep(0.3)
        return super().lie(call, outcome)

class Raises(Counts):
    def third(self, call):
        raise RuntimeError("out of luck")

class ByRows(Honest):
    '''Wrong for three rows and for five; five and six spoil the process, in which everything is wrong then.'''

    spoilt = False

    def lie(self, call, outcome):
        rows = call.arguments["self"].shape[0]
        if self.spoilt or rows in (3, 5):
            for _, tensor in call.tensors(written=True):
                tensor.view()[...] = 7
        self.spoilt = self.spoilt or rows > 4
"""


@pytest.fixture
def isolated(isolated_runner, tmp_path, monkeypatch):
    """A function that makes a runner of this file, which lives in a process of its own."""
    monkeypatch.setenv("PYTHONPATH", str(fakes.__file__).rpartition("/")[0])
    (tmp_path / "turning.py").write_text(TURNING)
    return lambda name: isolated_runner(f"{tmp_path}/turning.py:{name}")


@pytest.fixture
def cases(tmp_path):
    names = ["a", "b", "c", "d", "e"]
    return prelu_cases(tmp_path / "data", *(prelu_group(name) for name in names))


@pytest.fixture
def calls(cases):
    return [session().make_call(case) for case in cases]


def runs(outcomes):
    """Which run of its process each was; what it was where it did not complete."""
    return [int(one.facts["run"]) if isinstance(one, Completed) else one for one in outcomes]


def test_every_call_gets_its_own_answer(isolated, calls, cases):
    runner = isolated("Counts")
    runner.ahead(calls)
    assert runs(map(runner.run, calls)) == [1, 2, 3, 4, 5]
    for call, case in zip(calls, cases, strict=True):
        here = session().make_call(case)
        fakes.Honest().run(here)
        for mine, theirs in zip(memories_of(call), memories_of(here), strict=True):
            assert mine.everything.tobytes() == theirs.everything.tobytes()


def test_they_are_made_before_they_are_asked_for(isolated, calls):
    runner = isolated("Counts")
    runner.ahead(calls)
    runner.run(calls[0])
    assert runner.ask("describe").name == "Counts"
    assert runs([runner.run(calls[1])]) == [len(calls) + 1]


@pytest.mark.parametrize(
    ("name", "third", "later"),
    [
        ("Dies", Crashed(0, "exit status 3"), [1, 2]),
        ("Hangs", TimedOut(0.5), [1, 2]),
        ("Raises", Broken("the runner raised RuntimeError: out of luck"), [4, 5]),
    ],
)
def test_the_one_that_goes_wrong_is_told_and_those_after_it_are_made_again(name, third, later, isolated, calls):
    runner = isolated(name)
    calls = [call.with_deadline(0.5 if name == "Hangs" else 30) for call in calls]
    runner.ahead(calls)
    first, second, wrong, *others = map(runner.run, calls)
    assert (runs([first, second]), runs(others)) == ([1, 2], later)
    assert type(wrong) is type(third)
    assert str(third) in str(wrong) or "out of luck" in str(wrong)


@pytest.mark.parametrize("name", ["Counts", "Dies", "Hangs", "Raises"])
def test_another_call_makes_those_answers_void(name, isolated, calls):
    runner = isolated(name)
    *calls, other = [call.with_deadline(0.5) for call in calls]
    runner.ahead(calls)
    before = runs([runner.run(calls[0])])
    between = runs([runner.run(other)])
    after = runs([runner.run(calls[1])])
    assert (before, between, after) == {
        "Counts": ([1], [5], [6]),
        "Dies": ([1], [1], [2]),
        "Hangs": ([1], [1], [2]),
        "Raises": ([1], [4], [5]),
    }[name]


def test_answers_of_slow_calls_are_there_before_the_last_one_is_made(isolated, calls):
    runner = isolated("Dawdles")
    runner.run(calls[0])
    runner.ahead(calls[1:])
    start = monotonic()
    assert runs([runner.run(calls[1])]) == [2]
    assert monotonic() - start < 0.3 * 2.5


def test_more_answers_than_the_log_has_room_for_are_sent(isolated, tmp_path):
    runner, wide = isolated("Counts"), prelu_group("wide", shape=(60, 60))
    (case,) = prelu_cases(tmp_path / "data", wide)
    call = session().make_call(case)
    copies = [call.copy() for _ in range(LOG_BYTES // call.arguments["self"].memory.payload.nbytes)]
    assert all(map(is_light, copies))
    runner.ahead(copies)
    assert runs(map(runner.run, copies)) == list(range(1, len(copies) + 1))
    fakes.Honest().run(call)
    for copy in copies:
        assert (copy.arguments["gradInput"].view() == call.arguments["gradInput"].view()).all()


def test_a_call_that_was_told_and_is_never_run_is_forgotten(isolated, calls):
    runner = isolated("Counts")
    runner.ahead(calls)
    assert runs([runner.run(calls[0]), runner.run(calls[2])]) == [1, 6]


def test_a_process_that_was_given_up_has_no_answers_left(isolated, calls):
    runner = isolated("Counts")
    runner.ahead(calls)
    runner.run(calls[0])
    runner.renew()
    assert runs([runner.run(calls[1])]) == [1]


def results(runner, cases):
    supervisor = Supervisor(session(runner))
    return list(supervisor.execute_all(cases))


@pytest.mark.parametrize(
    ("rows", "verdicts", "blamed"),
    [
        ([4, 2, 5, 4], ["passed", "passed", "failed", "passed"], [2]),
        ([4, 3, 6], ["passed", "failed", "passed"], []),
        ([4, 3, 2], ["passed", "failed", "passed"], []),
        ([4, 5, 6], ["passed", "failed", "passed"], [1]),
    ],
    ids=["wrong and spoilt", "wrong, spoilt by a later one", "wrong only", "spoilt by both"],
)
def test_only_the_case_that_spoils_a_process_is_blamed(rows, verdicts, blamed, isolated, tmp_path):
    groups = [prelu_group(f"at_{place}", shape=(count, 2)) for place, count in enumerate(rows)]
    found = results(isolated("ByRows"), prelu_cases(tmp_path / "rows", *groups))
    assert [one.judged.verdict.value for one in found] == verdicts
    assert [at for at, one in enumerate(found) if one.observation.poison] == blamed


def test_verdicts_and_what_was_seen_are_those_of_one_call_at_a_time(isolated, cases, monkeypatch):
    def seen(name):
        found = results(isolated(name), cases)
        return [(one.judged, one.observation and one.observation.poison, one.again) for one in found]

    for name in ("Counts", "Dies"):
        ahead = seen(name)
        with monkeypatch.context() as patch:
            patch.setattr(IsolatedRunner, "ahead", lambda *_: None)
            assert seen(name) == ahead
