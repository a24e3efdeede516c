"""What a pytest process executes and gathers: the session, and the lines of the record as reports bring them.

Every process executes its own items; the one that gathers is the only one, or the one that xdist's workers report to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from conformance.discover import find_report
from conformance.errors import ConformanceError, InvalidOption
from conformance.execute import Result, Session
from conformance.explain import explain
from conformance.foreign.heads import SUFFIXES
from conformance.garbage import settled
from conformance.gather import Gathering
from conformance.header import header_of
from conformance.kept_reference import trouble_of
from conformance.line import line_of_lost
from conformance.listing import AnyCard, Bodies, load_listing
from conformance.load import load_waivers
from conformance.opening import open_session
from conformance.options import Options
from conformance.product import PRODUCTS
from conformance.pytest_items import SHARE, CaseItem, NotConforming, ProblemItem
from conformance.pytest_options import input_of, is_remote, options_of
from conformance.pytest_phases import HEARD, heard_at_ends
from conformance.record import encoded, line_of, short_line
from conformance.record_lines import parse_line
from conformance.resume import empty, read_unfinished, require_same_run
from conformance.run import Tally, sorted_counts
from conformance.supervise import Journal, Supervisor
from conformance.verdict import Judged, Verdict
from conformance.waiver import Setting, stale_waivers

LINE, HEADER = "conformance_line", "conformance_header"
"""Attributes of a report: the record line of its case, and before the first one the header of its process."""
PROBLEM = "conformance_problem"
"""Attribute of a report about what cannot be read: the text."""
_DONE = "conformance_done"
_SKIPPED = (Verdict.SKIPPED, Verdict.UNSUPPORTED)
_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


def _speak(result: Result, options: Options) -> None:
    verdict, reason = result.judged.verdict, result.judged.reason
    if verdict.is_red:
        raise NotConforming(explain(result, options))
    if verdict in _SKIPPED:
        pytest.skip(f"{verdict.value}: {reason}")
    if verdict is Verdict.WAIVED:
        pytest.xfail(reason)


def _taken_from(report: pytest.TestReport, name: str) -> Mapping[str, Any] | None:
    """What another process, or this one, put into a report; pytest keeps reports to the end, and need not keep that."""
    told = report.__dict__.pop(name, None)
    read: Mapping[str, Any] | None = parse_line(told.encode()) if isinstance(told, str) else told
    return read


class Door:
    """Hooks of one pytest process: the session, made when first needed, and the record lines that arrive."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._record: Path | None = config.getoption("--record")
        self._gathering = Gathering()
        self._tally: Tally | None = None
        self._begun_share: dict[str, Any] | None = None
        self._done: frozenset[str] = frozenset(input_of(config).get(_DONE, ()))
        self._introduced = False
        self._problems: list[str] = []
        self._told: dict[str, Any] = {}
        self._bodies = Bodies()
        self._until_the_end = ExitStack()
        config.add_cleanup(self._until_the_end.close)
        self.options = options_of(config)

    @cached_property
    def session(self) -> Session:
        """The session of the options; raises ConformanceError."""
        return open_session(self.options, keep=True)

    @cached_property
    def supervisor(self) -> Supervisor:
        """What executes this process's cases, with a journal of its own beside the record."""
        if self._record is None:
            return Supervisor(self.session)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        return Supervisor(self.session, Journal(self._record.with_suffix(f".{worker}.running")))

    def execute(self, item: CaseItem) -> None:
        """Execute the case of an item and turn its verdict into pytest's words."""
        result = self.supervisor.execute(self._bodies.case(item.card))
        line = short_line(result) if self._record is None else line_of(result)
        self._told = {LINE: line, **self._introduction()}
        _speak(result, self.options)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """From here on what was collected is not searched for cycles again and again, nor what is reported."""
        self._until_the_end.enter_context(settled())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Give the report of a case that was executed its line, as text where it goes to another process."""
        report = yield
        if isinstance(item, ProblemItem) and call.when == "call":
            setattr(report, PROBLEM, str(item.problem))
        for name, told in self._told.items() if call.when == "call" else ():
            setattr(report, name, encoded(told).decode() if self._is_worker else told)
        self._told = {}
        return report

    def check(self) -> None:
        """Find out before the first case whether the options can be kept; raises ConformanceError."""
        resume = self._config.getoption("--resume")
        if resume and self._record is None:
            raise InvalidOption("--resume needs --record, the record to go on with")
        before = read_unfinished(self._record) if resume and self._record is not None else None
        if before is not None and not is_remote(self._config):
            require_same_run(before, {**self._header(), "shard": before.header.get("shard", {})})
        if self.options != Options() and not is_remote(self._config):
            _ = self.session
        if before is not None:
            self._done = frozenset(line["id"] for line in before.lines)
            self._begun_share = before.header.get("shard")
        elif self._record is not None:
            empty(self._record)
        self._gathering = Gathering(self._record, before)

    def not_done(self, items: list[CaseItem]) -> list[CaseItem]:
        """The items that an interrupted run has left; all where none is gone on with."""
        if self._done and not self._is_worker:
            self._gathering.begin(self._header())
        return [item for item in items if item.card.id not in self._done]

    def _introduction(self) -> dict[str, Any]:
        """The header of this process, before its first line."""
        if self._introduced:
            return {}
        self._introduced = True
        return {HEADER: self._header()}

    def _header(self) -> dict[str, Any]:
        header = header_of(self.session, self.options)
        share = self._config.stash.get(SHARE, None)
        return {**header, "shard": share} if share else header

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell an xdist worker what is done, for it may not see the record, and what of a case's end is heard here."""
        node.workerinput[_DONE] = sorted(self._done)
        node.workerinput[HEARD] = heard_at_ends(self._config)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the line of a finished case, from this process or from an xdist worker; note a case that was lost."""
        if self._is_worker:
            return
        if problem := getattr(report, PROBLEM, ""):
            self._problems.append(problem)
            return
        line, header = _taken_from(report, LINE), _taken_from(report, HEADER)
        if header is not None:
            self._begin(header)
        if line is not None:
            self._gathering.add(line)
        elif report.failed:
            self._note_lost(report)

    def _begin(self, header: Mapping[str, Any]) -> None:
        try:
            self._gathering.begin(header)
        except ConformanceError as error:
            self._gathering.complain(str(error))

    def _note_lost(self, report: pytest.TestReport) -> None:
        """A case whose process died, or that was never executed, is broken; other tests are none of our business."""
        file, _, case_id = report.nodeid.partition("::")
        ours = file.endswith(tuple(SUFFIXES))
        if ours and case_id not in self._gathering.lines and case_id in self._cards:
            lost = Judged(Verdict.BROKEN, report.longreprtext.strip())
            self._gathering.add(line_of_lost(self._cards[case_id], lost))

    @cached_property
    def _cards(self) -> dict[str, AnyCard]:
        """Every case under the arguments of the run, by id; a process that only gathers reports has collected none."""
        paths = [self._config.invocation_params.dir / argument.partition("::")[0] for argument in self._config.args]
        return {card.id: card for card in load_listing(paths, how=self.options.file_options).cards}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int | pytest.ExitCode) -> None:
        """End the record and make the exit status say what the run means; only where the reports arrive."""
        if "supervisor" in self.__dict__:
            self.supervisor.close()
        gathering = self._gathering
        if self._is_worker or not gathering.lines:
            return
        nothing_left = exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and bool(self._done)
        if gathering.header is None and not is_remote(self._config):
            # Under xdist this process collects nothing: where no case was left, the share is the one begun with.
            if self._begun_share is not None:
                self._config.stash.setdefault(SHARE, self._begun_share)
            self._begin(self._header())
        ended = (exitstatus in _ENDED or nothing_left) and not session.shouldstop and not session.shouldfail
        self._tally = gathering.close(ended=ended, complaints=self._stale(), problems=self._problems)
        if exitstatus == pytest.ExitCode.OK or nothing_left:
            red = bool(self._tally.exit_status)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED if red else pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The summary table, and why the status is not 0 where no case says so."""
        if self._tally is None:
            return
        if self._record is not None and self._gathering.is_written:
            find_report("terminal")(self._record, Console(file=sys.stdout))
        counts = ", ".join(f"{count} {verdict.value}" for verdict, count in sorted_counts(self._tally.counts))
        terminalreporter.write_line(f"conformance: {counts}")
        if "session" in self.__dict__ and (trouble := trouble_of(self.session.reference)):
            terminalreporter.write_line(trouble)
        if self._tally.why_red:
            terminalreporter.write_line(f"not conforming: {self._tally.why_red}", red=True)

    @property
    def _is_worker(self) -> bool:
        """Whether what happens here is told to a process that gathers."""
        return hasattr(self._config, "workerinput")

    def _stale(self) -> list[str]:
        """Complaints about waivers; one that matches no case of this run may match another of the suite's."""
        waivers = load_waivers(self.options.waivers)
        if not waivers:
            return []
        setting = Setting(PRODUCTS[self.options.product], date.today(), self._gathering.cann)
        ours = self._gathering.named()
        stale = stale_waivers(waivers, ours, setting)
        return [str(problem) for problem in stale and stale_waivers(waivers, [*ours, *load_listing().cards], setting)]


def open_door(config: pytest.Config) -> Door:
    """The door of a process that is not yet told what to run."""
    return Door(config)
