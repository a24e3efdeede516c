"""A sample run again finds what a consistent forgery hides: a record of another implementation."""

from datetime import date

import fakes
import pytest
from certified import Certified, certified
from tiny import session

from conformance.recheck import recheck
from conformance.record import line_of, read_record
from conformance.rerun import run_again, sample_of, strangers


@pytest.fixture
def world(tmp_path) -> Certified:
    return certified(tmp_path)


def rejudged(world):
    standard = world.suite.standards["strict"]
    return recheck(read_record(world.record), world.suite.cases, standard, (), date(2026, 12, 1)).rejudged


def sample(world, count, nonce, root="root"):
    return sample_of(rejudged(world), count, nonce, root)


def complaints(world, runner=None):
    again = run_again(session(runner), sample(world, 99, "nonce"), world.suite.cases)
    return {one.complaint for one in again} - {""}


def test_the_nonce_and_the_lines_pick_the_sample(world):
    def ids(*arguments):
        return [one.line["id"] for one in sample(world, *arguments)]

    assert ids(3, "a") == ids(3, "a")
    assert len({tuple(ids(3, str(number))) for number in range(20)}) > 5
    assert len({tuple(ids(3, "a", str(number))) for number in range(20)}) > 5
    assert len(ids(99, "a")) == 5


def test_the_same_implementation_answers_alike(world):
    world.rewrite(lambda lines: [line for line in lines if ".waived." not in line["id"]])
    assert complaints(world) == set()
    again = run_again(session(), sample(world, 99, "nonce"), world.suite.cases)
    assert len(again) == 4
    assert all(one.has_same_figures for one in again)


def make_believe(world):
    """A record that is honest about another implementation: nothing in it contradicts anything."""
    (case,) = (case for case in world.suite.cases.values() if case.group == "waived")
    honest = line_of(session().execute(case))
    world.rewrite(lambda lines: [honest if line["id"] == case.id else line for line in lines], {"terms": {}})


def test_a_consistent_forgery_is_found_by_running_it(world):
    make_believe(world)
    forged = Certified(world.folder, world.suite, world.required, world.key, entries=())
    forged.sign(forged.statement())
    assert forged.complaints() == []
    assert "recorded as passed, run again it is failed" in complaints(forged, fakes.WrongSign())


@pytest.mark.parametrize("runner", [fakes.RefusesEverything(), fakes.AcceptsEverything(), fakes.WrongStatus()])
def test_another_answer_is_named(runner, world):
    assert complaints(world, runner)


def test_another_library_is_named(world):
    subjects = world.statement()["subject"]
    assert list(strangers(subjects, session())) == []
    (missing,) = strangers(subjects, session(fakes.WrongSign()))
    assert "the runner has no library of digest" in str(missing)
    (further,) = strangers([], session())
    assert str(further) == "library runners/simulator of the runner is no subject of the certificate"


def test_a_library_may_lie_elsewhere(world):
    subjects = [{**subject, "name": f"/elsewhere/{subject['name']}"} for subject in world.statement()["subject"]]
    assert list(strangers(subjects, session())) == []
