"""The pytest door: JSON case files are collected directly, a case is an item whose name is its id.

Verdicts, ids and the record are those of the native door; pytest's own words follow from the verdict.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from conformance.case import DEFAULT, Case
from conformance.corpus import load_corpus
from conformance.discover import find_report
from conformance.errors import ConformanceError, InvalidData
from conformance.execute import Result, Session
from conformance.expand import expand
from conformance.explain import explain
from conformance.facets import MARKERS
from conformance.load import is_case_file, load_case_file
from conformance.options import (
    DEFAULT_PRODUCT,
    DEFAULT_REFERENCE,
    DEFAULT_RUNNER,
    DEFAULT_STANDARD,
    Options,
    open_session,
    parse_runner_options,
    parse_shard,
)
from conformance.product import PRODUCTS
from conformance.record import RecordWriter, header_of, line_of
from conformance.run import Tally, sorted_counts
from conformance.select import shuffled
from conformance.shard import Shard, share_of
from conformance.supervise import Journal, Supervisor
from conformance.tier import TIERS, is_in
from conformance.verdict import Judged, Verdict
from conformance.waiver import Named, Waivable, stale_waivers

_LINE = "conformance-line"
_SHARE = "conformance_share"
_SKIPPED = (Verdict.SKIPPED, Verdict.UNSUPPORTED)
_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
_DOOR = pytest.StashKey["_Door"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of ``conformance run``."""
    group = parser.getgroup("conformance", "aclnn conformance")
    group.addoption("--runner", default=DEFAULT_RUNNER, help="who is judged: a name, module:Class or exec:COMMAND")
    group.addoption("--runner-option", action="append", default=[], metavar="NAME=VALUE", help="builds the runner")
    group.addoption("--devices", metavar="LIST", help="device ids such as 0,1: each xdist worker owns one")
    group.addoption("--cann", metavar="PATH", help="installation to judge; short for --runner-option cann=PATH")
    group.addoption("--reference", default=DEFAULT_REFERENCE, help="who supplies goldens")
    group.addoption("--product", default=DEFAULT_PRODUCT, help=", ".join(PRODUCTS))
    group.addoption("--standard", default=DEFAULT_STANDARD, help="rule for numbers")
    group.addoption("--seed", type=int, default=0, help="changes all random data")
    group.addoption("--repeat", type=int, default=1, help="make every call so often; all answers must be the same bits")
    group.addoption("--shuffle", type=int, default=None, metavar="SEED", help="run in another order, told by the seed")
    group.addoption("--shard", type=parse_shard, metavar="I/N", help="run share I of N; merge joins their records")
    group.addoption("--max-elements", type=int, default=None, help="skip cases with a larger tensor")
    group.addoption("--tier", choices=TIERS, default=DEFAULT, help="cases to run, from a few to all (%(default)s)")
    group.addoption("--record", type=Path, default=None, help="record file to write")
    group.addoption("--waivers", type=Path, action="append", default=[], help="file of known deviations")
    group.addoption("--deadline", type=float, default=None, help="seconds a case may take")
    isolate = {"dest": "isolate", "default": None}
    group.addoption("--isolate", action="store_true", help="run in a child process (foreign runners always)", **isolate)
    group.addoption("--no-isolate", action="store_false", help="run in this process, foreign runners too", **isolate)


def pytest_configure(config: pytest.Config) -> None:
    """Register facets as markers, and the hooks that gather results."""
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    config.stash[_DOOR] = _Door(config)
    config.pluginmanager.register(config.stash[_DOOR], "conformance-door")
    if not hasattr(config, "workerinput"):
        try:
            config.stash[_DOOR].check()
        except ConformanceError as error:
            raise pytest.UsageError(str(error)) from None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect JSON files that lie beside a contract, and any that the command line names."""
    named = parent.session.isinitpath(file_path)
    if file_path.suffix == ".json" and (named or is_case_file(file_path)):
        return CasesFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the cases of the tier and those that the command line names one by one, of them a share; and their order."""
    tier = config.getoption("--tier")
    named = {argument.rpartition("::")[2] for argument in config.args if "::" in argument}
    cases = [i for i in items if isinstance(i, CaseItem) and (is_in(i.case, tier) or i.case.id in named)]
    seed = config.getoption("--shuffle")
    if seed is not None:
        by_id = {item.case.id: item for item in cases}
        cases = [by_id[case.id] for case in shuffled([item.case for item in cases], seed)]
    cases = config.stash[_DOOR].take_share(cases)
    kept = set(cases)
    outside = [item for item in items if isinstance(item, CaseItem) and item not in kept]
    if outside:
        config.hook.pytest_deselected(items=outside)
    if outside or seed is not None:
        items[:] = [*(item for item in items if not isinstance(item, CaseItem)), *cases]


class CasesFile(pytest.File):
    """One case file; its items are its cases."""

    def collect(self) -> Iterator[CaseItem]:
        """The cases of the file, or one readable error."""
        for case in expand(load_case_file(self.path)):
            yield CaseItem.from_parent(self, name=case.id, case=case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Data errors as they are, without a traceback."""
        if isinstance(excinfo.value, InvalidData):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class NotConforming(Exception):
    """Carries the failure text of a red verdict."""


class CaseItem(pytest.Item):
    """One case. Facets are keywords; those of the closed set are markers too."""

    def __init__(self, *, case: Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case
        self.extra_keyword_matches.update(case.facets)
        for facet in sorted(case.facets & MARKERS.keys()):
            self.add_marker(facet)

    def runtest(self) -> None:
        """Execute the case and turn its verdict into pytest's words."""
        door = self.config.stash[_DOOR]
        result = door.supervisor.execute(self.case)
        self.user_properties.append((_LINE, json.dumps(line_of(result), allow_nan=False)))
        _speak(result, door.options)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure text alone; suite errors without a traceback."""
        if isinstance(excinfo.value, (NotConforming, ConformanceError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the case stands and its id."""
        return self.path, None, self.name


def _speak(result: Result, options: Options) -> None:
    verdict, reason = result.judged.verdict, result.judged.reason
    if verdict.is_red:
        raise NotConforming(explain(result, options))
    if verdict in _SKIPPED:
        pytest.skip(f"{verdict.value}: {reason}")
    if verdict is Verdict.WAIVED:
        pytest.xfail(reason)


class _Door:
    """Hooks of one pytest process: the session, made when first needed, and the record lines that arrive."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._lines: dict[str, dict[str, Any]] = {}
        self._tally: Tally | None = None
        self._share: dict[str, Any] | None = None
        self.options = _options_of(config)

    @cached_property
    def session(self) -> Session:
        """The session of the options; raises ConformanceError."""
        return open_session(self.options)

    @cached_property
    def supervisor(self) -> Supervisor:
        """What executes this process's cases, with a journal of its own beside the record."""
        if self._record is None:
            return Supervisor(self.session)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        return Supervisor(self.session, Journal(self._record.with_suffix(f".{worker}.running")))

    def take_share(self, items: list[CaseItem]) -> list[CaseItem]:
        """The items of this machine's share; all where none is asked for."""
        shard: Shard | None = self._config.getoption("--shard")
        if shard is None or not items:
            return items
        share = share_of([item.case for item in items], shard, PRODUCTS[self.options.product])
        self._share = share.to_json()
        mine = {case.id for case in share.cases}
        return [item for item in items if item.case.id in mine]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take from an xdist worker what share it collected: this process collects nothing."""
        self._share = self._share or getattr(node, "workeroutput", {}).get(_SHARE)

    def check(self) -> None:
        """Find out before the first case whether the options can be kept; raises ConformanceError."""
        if self.options != Options():
            _ = self.session
        if self._record is not None:
            RecordWriter(self._record, {}).close(ended=False)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the line of a finished case, from this process or from an xdist worker; note a case that was lost."""
        texts = [text for name, text in report.user_properties if name == _LINE]
        if report.when == "call" and texts:
            line = json.loads(str(texts[0]))
            self._lines[line["id"]] = line
        elif report.failed:
            self._note_lost(report)

    def _note_lost(self, report: pytest.TestReport) -> None:
        """A case whose process died, or that was never executed, is broken; other tests are none of our business."""
        case_id = report.nodeid.partition("::")[2]
        if case_id not in self._lines and ".json::" in report.nodeid and case_id in self._cases:
            lost = Judged(Verdict.BROKEN, report.longreprtext.strip())
            self._lines[case_id] = line_of(Result(self._cases[case_id], lost))

    @cached_property
    def _cases(self) -> dict[str, Case]:
        """Every case under the arguments of the run, by id; a process that only gathers reports has collected none."""
        paths = [self._config.invocation_params.dir / argument.partition("::")[0] for argument in self._config.args]
        return {case.id: case for case in load_corpus(paths).cases}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int | pytest.ExitCode) -> None:
        """Write the record and make the exit status say what the run means; only where the reports arrive."""
        if "supervisor" in self.__dict__:
            self.supervisor.close()
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_SHARE] = self._share
        if hasattr(self._config, "workerinput") or not self._lines:
            return
        self._tally = Tally.of(self._lines.values(), self._stale())
        if self._record is not None:
            header = header_of(self.session, self.options.runner)
            writer = RecordWriter(self._record, {**header, "shard": self._share} if self._share else header)
            for _, line in sorted(self._lines.items()):
                writer.add(line)
            writer.close(ended=exitstatus in _ENDED and not session.shouldstop and not session.shouldfail)
        if exitstatus == pytest.ExitCode.OK and self._tally.exit_status:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The summary table, and why the status is not 0 where no case says so."""
        if self._tally is None:
            return
        if self._record is not None:
            find_report("terminal")(self._record, Console(file=sys.stdout))
        counts = ", ".join(f"{count} {verdict.value}" for verdict, count in sorted_counts(self._tally.counts))
        terminalreporter.write_line(f"conformance: {counts}")
        if self._tally.why_red:
            terminalreporter.write_line(f"not conforming: {self._tally.why_red}", red=True)

    @property
    def _record(self) -> Path | None:
        path: Path | None = self._config.getoption("--record")
        return path

    def _stale(self) -> list[str]:
        """Complaints about waivers; one that matches no case of this run may match another of the suite's."""
        if not self.options.waivers:
            return []
        ours = [Named(line["id"], frozenset([line["api"], *line["facets"]])) for line in self._lines.values()]
        stale = self._stale_among(ours)
        return stale and self._stale_among([*ours, *load_corpus().cases])

    def _stale_among(self, cases: Sequence[Waivable]) -> list[str]:
        return [str(problem) for problem in stale_waivers(self.session.waivers, cases, self.session.setting)]


def _options_of(config: pytest.Config) -> Options:
    return Options(
        runner=config.getoption("--runner"),
        reference=config.getoption("--reference"),
        product=config.getoption("--product"),
        standard=config.getoption("--standard"),
        seed=config.getoption("--seed"),
        max_elements=config.getoption("--max-elements"),
        waivers=tuple(config.getoption("--waivers")),
        isolate=config.getoption("--isolate"),
        runner_options=parse_runner_options(
            config.getoption("--runner-option"), config.getoption("--cann"), config.getoption("--devices")
        ),
        deadline=config.getoption("--deadline"),
        repeat=config.getoption("--repeat"),
    )
