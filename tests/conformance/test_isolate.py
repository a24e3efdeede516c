"""Runners in child processes, and the child's own half of the conversation."""

import os
import signal
from pathlib import Path

import fakes
import pytest
from tiny import prelu_cases, session

from conformance import isolate
from conformance.discover import find_reference, find_report, find_runner, known_runners
from conformance.errors import UnknownReport, UnknownRunner
from conformance.isolate import IsolatedRunner
from conformance.outcome import Broken, Completed, Crashed
from conformance.product import PRODUCTS

FAKES = fakes.__file__
A2 = PRODUCTS["ascend910b"]


@pytest.fixture
def isolated(isolated_runner):
    return lambda name: isolated_runner(f"{FAKES}:{name}")


@pytest.fixture
def call(tmp_path):
    return session().make_call(prelu_cases(tmp_path)[0])


def test_a_child_is_asked_for_what_its_runner_says(isolated):
    runner = isolated("SupportsNothing")
    assert runner.describe().name == "SupportsNothing"
    assert runner.describe() is runner.describe()
    assert runner.supports("aclnnSilu", A2) == "not today"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "unknown runner 'nobody'"),
        ("no_such_module:Class", "cannot import 'no_such_module'"),
        (f"{FAKES}:Nobody", "has no class 'Nobody'"),
        (f"{FAKES}:first_output", "cannot be built: missing a required argument: 'call'; it takes call"),
        ("/no/such/file.py:Class", "no such file: /no/such/file.py"),
        ("json:JSONDecoder", "json:JSONDecoder is no runner: it lacks describe(), supports() or run()"),
    ],
)
def test_runners_that_cannot_be_built_say_why_on_both_sides(name, message):
    with pytest.raises(UnknownRunner) as here:
        find_runner(name)
    assert message in str(here.value)
    runner = IsolatedRunner(name)
    with pytest.raises(UnknownRunner) as there:
        runner.describe()
    runner.close()
    assert message in str(there.value)


def test_what_raises_when_asked_and_what_dies_when_asked(isolated, tmp_path):
    with pytest.raises(UnknownRunner, match="do not ask"):
        isolated("RaisesWhenAsked").supports("aclnnSilu", A2)
    (tmp_path / "dying.py").write_text("import os\nclass Dying:\n    def __init__(self): os._exit(7)\n")
    runner = IsolatedRunner(f"{tmp_path}/dying.py:Dying")
    with pytest.raises(UnknownRunner, match=r"died in describe: crashed \(exit status 7\)"):
        runner.describe()


def test_a_runner_that_never_answers(isolated, monkeypatch):
    monkeypatch.setattr(isolate, "_START_SECONDS", 0.0)
    with pytest.raises(UnknownRunner, match="did not answer describe in 0 s"):
        isolated("Honest").describe()


ODD = """
import os, subprocess
from conformance.outcome import Completed
from conformance.runner import RunnerInfo

class Odd:
    def describe(self): return RunnerInfo(str(os.getppid()), "1")
    def supports(self, api, product): return None

class Loud(Odd):
    def run(self, call):
        os.write(1, b"garbage" * 9)
        return Completed((), facts={"text": "x" * 3_000_000})

class Leaves(Odd):
    def run(self, call):
        subprocess.Popen(["sleep", "10"], close_fds=False, start_new_session=True)
        os._exit(4)
"""


def test_a_crash_is_noticed_although_a_program_that_the_runner_started_lives_on(call, tmp_path):
    (tmp_path / "odd.py").write_text(ODD)
    runner = IsolatedRunner(f"{tmp_path}/odd.py:Leaves")
    try:
        assert runner.run(call.with_deadline(9.0)) == Crashed(0, "exit status 4")
    finally:
        runner.close()


def test_an_answer_of_any_size_arrives_whatever_the_runner_prints(call, tmp_path):
    (tmp_path / "odd.py").write_text(ODD)
    runner = IsolatedRunner(f"{tmp_path}/odd.py:Loud")
    try:
        assert len(runner.run(call).facts["text"]) == 3_000_000
    finally:
        runner.close()


def test_a_process_killed_by_somebody_else_is_replaced(tmp_path):
    (tmp_path / "odd.py").write_text(ODD)
    runner = IsolatedRunner(f"{tmp_path}/odd.py:Leaves")
    try:
        parents = []
        for _ in range(2):
            parents.append(int(runner.ask("describe").name))
            os.kill(parents[-1], signal.SIGKILL)
            runner.renew()
        assert len(set(parents)) == 2
    finally:
        runner.close()


def test_names_and_their_kinds(tmp_path):
    assert {"reference", "simulator"} <= set(known_runners())
    assert find_runner("simulator").describe().name == "simulator"
    assert find_reference("reference").describe().name == "reference"
    with pytest.raises(UnknownRunner, match="simulator is no reference: it lacks describe"):
        find_reference("simulator")
    with pytest.raises(UnknownReport, match=r"unknown report 'poem'; known are .*markdown.*terminal"):
        find_report("poem")


def test_outputs_and_workspaces_come_back_into_the_parents_call(isolated, call):
    inputs = call.arguments["self"].array()
    assert isinstance(isolated("Honest").run(call), Completed)
    assert (call.arguments["gradInput"].view()[0] == [0.5, 2]).all()
    assert (call.arguments["self"].array() == inputs).all()
    assert isinstance(isolated("Raises").run(call), Broken)
    assert Path(FAKES).is_file()
