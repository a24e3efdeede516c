"""Phases of cases under pytest: plugins see of a case what they see of a test, and pytest alone needs less."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import fakes
import pytest
from _pytest.runner import runtestprotocol
from tiny import prelu_folder, prelu_group, write

LIAR = ("--runner", f"{Path(fakes.__file__)}:WrongSign", "--no-isolate")


@pytest.fixture
def folder(tmp_path):
    folder = prelu_folder(tmp_path)
    groups = [prelu_group(f"rows{rows}", shape=(rows, 2)) for rows in range(1, 5)]
    write(folder, *groups, api="aclnnPreluBackward")
    return folder


@pytest.fixture
def run(folder, pytester, capsys):
    """The calls of hooks in a run of pytest over four cases in this process, and what it printed."""

    def run(*words, plugin=None):
        calls = pytester.inline_run("-q", *map(str, words or (folder,)), plugins=[plugin] if plugin else [])
        return calls, capsys.readouterr().out

    return run


def items_of(calls, hook):
    return [call.item.name.split(".")[3] for call in calls.getcalls(hook)]


def test_a_case_between_two_others_of_its_file_is_called_and_reported_and_that_is_all(run):
    calls, output = run()
    assert "4 passed" in output
    assert items_of(calls, "pytest_runtest_call") == ["rows1", "rows2", "rows3", "rows4"]
    for hook in ("pytest_runtest_setup", "pytest_runtest_teardown"):
        assert items_of(calls, hook) == ["rows1", "rows4"]


@pytest.mark.parametrize("name", ["logging", "capture", "debugging", "setuponly", "skipping", "faulthandler"])
def test_plugins_of_pytest_itself_may_be_left_out(name, folder, run):
    assert "4 passed" in run(folder, "-p", f"no:{name}")[1]


@pytest.mark.parametrize("options", [("--log-level", "INFO"), ("--setup-show",), ("--setup-only",)])
def test_options_about_phases_bring_them_all_back(options, folder, run):
    calls, output = run(folder, *options)
    assert items_of(calls, "pytest_runtest_setup") == ["rows1", "rows2", "rows3", "rows4"]
    assert "error" not in output


class Noting:
    """A plugin that notes what happens."""

    def __init__(self):
        self.seen = []


class Listening(Noting):
    def pytest_runtest_logstart(self):
        self.seen.append("start")

    def pytest_runtest_logreport(self, report):
        self.seen.append(f"{report.when} {report.outcome}")

    def pytest_runtest_logfinish(self):
        self.seen.append("finish")


class LookingAtReports(Noting):
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self):
        report = (yield).get_result()
        self.seen.append(report.when)


class TakingPart(Noting):
    @pytest.hookimpl(trylast=True)
    def pytest_runtest_setup(self, item):
        item.addfinalizer(lambda: self.seen.append("finalized"))

    def pytest_runtest_call(self):
        self.seen.append("called")

    def pytest_runtest_teardown(self):
        self.seen.append("taken down")


class Repeating(Noting):
    """Runs each item once more, as plugins that repeat failed tests do."""

    def pytest_runtest_protocol(self, item, nextitem):
        for turn in ("first", "again"):
            reports = runtestprotocol(item, nextitem=nextitem, log=turn == "again")
            self.seen.append(f"{turn} {[report.when for report in reports]}")
        return True


class KnowingTheCurrentTest(Noting):
    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.seen.append(os.environ["PYTEST_CURRENT_TEST"] == f"{report.nodeid} (call)")


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        (Listening, ["start", "call passed", "teardown passed", "finish"]),
        (LookingAtReports, ["setup", "call", "teardown"]),
        (TakingPart, ["called", "taken down", "finalized"]),
        (Repeating, ["first ['setup', 'call', 'teardown']", "again ['setup', 'call', 'teardown']"]),
        (KnowingTheCurrentTest, [True]),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_plugin_that_takes_part_sees_every_phase_of_every_case(kind, seen, run):
    plugin = kind()
    assert "4 passed" in run(plugin=plugin)[1]
    assert plugin.seen == seen * 4


OF_WORKERS = """
import sys


class Listening:
    def pytest_runtest_logreport(self, report):
        print("told", report.when, file=sys.stderr)

    def pytest_runtest_logfinish(self):
        print("told finish", file=sys.stderr)


def watch(name, impls, told):
    if name in ("pytest_runtest_logreport", "pytest_runtest_logfinish"):
        print("told", told["report"].when if "report" in told else "finish", file=sys.stderr)


def pytest_configure(config):
    if hasattr(config, "workerinput"):
        return
    if LISTENING:
        config.pluginmanager.register(Listening())
    else:
        config.pluginmanager.add_hookcall_monitoring(watch, lambda *given: None)
"""


@pytest.mark.parametrize(("listening", "ends"), [(True, 4), (False, 2)])
def test_a_worker_tells_the_ends_of_cases_where_somebody_listens(listening, ends, folder, tmp_path):
    (tmp_path / "of_workers.py").write_text(f"LISTENING = {listening}\n{OF_WORKERS}")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "of_workers", str(folder)]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(command, cwd=tmp_path, env=paths, capture_output=True, text=True, check=False)
    told = [line.removeprefix("told ") for line in done.stderr.splitlines() if line.startswith("told")]
    assert "4 passed" in done.stdout
    assert [told.count(word) for word in ("call", "teardown", "finish")] == [4, ends, ends]


class Marking:
    def __init__(self, *marks):
        self.marks = marks

    def pytest_collection_modifyitems(self, items):
        for mark in self.marks:
            items[1].add_marker(mark)


@pytest.mark.parametrize(
    ("mark", "runner", "counts"),
    [
        (pytest.mark.skip("no time"), (), "3 passed, 1 skipped"),
        (pytest.mark.xfail(reason="known"), LIAR, "3 failed, 1 xfailed"),
        (pytest.mark.xfail(reason="known", strict=True), (), "1 failed, 3 passed"),
        (pytest.mark.refusal, (), "4 passed"),
    ],
)
def test_marks_that_a_plugin_gives_to_a_case_act(mark, runner, counts, folder, run):
    assert counts in run(folder, *runner, plugin=Marking(mark))[1]


class Interacting(Noting):
    def pytest_exception_interact(self, node):
        self.seen.append(node.name.split(".")[3])


@pytest.mark.parametrize(
    ("words", "failed"),
    [
        (LIAR, ["rows1", "rows2", "rows3", "rows4"]),
        ((*LIAR, "--maxfail", "3"), ["rows1", "rows2", "rows3"]),
        ((*LIAR, "-x"), ["rows1"]),
        ((*LIAR, "-k", "rows2 or rows3 or rows4", "-x"), ["rows2"]),
        ((), []),
    ],
)
def test_failures_are_counted_and_shown_to_debuggers(words, failed, folder, run):
    plugin = Interacting()
    _, output = run(folder, *words, plugin=plugin)
    assert plugin.seen == failed
    assert (f"{len(failed)} failed" in output) == bool(failed)


def test_a_junit_report_has_every_case(folder, tmp_path, run):
    run(folder, *LIAR, "--junitxml", tmp_path / "junit.xml")
    cases = list(ElementTree.parse(tmp_path / "junit.xml").iter("testcase"))
    assert len(cases) == 4
    assert all("FAILED activation" in case.find("failure").text for case in cases)


def test_failed_cases_are_run_again_on_demand(folder, run):
    assert "4 failed" in run(folder, *LIAR)[1]
    assert "1 failed" in run(folder, *LIAR, "--lf", "-x")[1]
    assert "4 passed" in run(folder, "--lf")[1]


SESSION_FIXTURE = """
import pytest

@pytest.fixture(scope="session")
def whole():
    yield
    print("end")
"""


def test_functions_before_and_after_cases_keep_their_fixtures(folder, run):
    (folder / "conftest.py").write_text(SESSION_FIXTURE)
    for name in ("test_first.py", "test_last.py"):
        (folder / name).write_text("def test_it(whole):\n    print('it')\n")
    _, output = run("-s", folder / "test_first.py", folder, folder / "test_last.py")
    assert "6 passed" in output
    assert output.count("end") == 1
    assert output.rindex("it") < output.index("end")


def test_the_place_of_a_case_is_what_pytest_makes_of_its_file_and_id(folder, pytester):
    items, _ = pytester.inline_genitems(folder)
    assert len(items) == 4
    for item in items:
        assert item.location == pytest.Item.location.func(item)
