"""Cases run by several processes of the suite, each with a session of its own, into one record.

Cards are dealt in runs of the order of the case files, so that each process opens few groups that others open too, and
in ever smaller ones, so that all end together. A process that dies costs the case it was at, which is broken; what
else it had in hand is dealt again to a fresh one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from rich.console import Console

from conformance.errors import ConformanceError
from conformance.explain import explain
from conformance.garbage import settled
from conformance.gather import Gathering
from conformance.header import header_of
from conformance.kept_reference import trouble_of
from conformance.line import line_of_lost
from conformance.listing import AnyCard, Bodies
from conformance.opening import open_session
from conformance.options import Options
from conformance.progress import ProgressLine
from conformance.record import encoded, line_of
from conformance.record_lines import parse_line
from conformance.resume import empty, read_unfinished
from conformance.run import Plan, RedCases, Tally
from conformance.supervise import DEFAULT_RESTARTS, Journal, Supervisor, named_in
from conformance.verdict import Judged, Verdict

WORKER_VARIABLE = "CONFORMANCE_WORKER"
"""Environment variable that holds the number of a process, from 0: devices are dealt by it."""
_MOST_DEALT, _PARTS = 64, 8
"""Most cards that are dealt at once, and the parts of a process's share of what is left that are."""
Stale = Callable[[str], Sequence[str]]
"""Complaints about waivers, from the version of CANN that the runner states."""
_PATIENCE = 5.0
"""Seconds that a process may take to end."""


def run_in_processes(
    options: Options, plan: Plan, console: Console, stale: Stale, jobs: int
) -> tuple[Tally, list[str]]:
    """Execute cases by ``jobs`` processes; what the run came to, and what was wrong with caches.

    Raises ConformanceError.
    """
    before = read_unfinished(plan.record) if plan.resume else None
    if before is None:
        empty(plan.record)
    gathering = Gathering(plan.record, before)
    left = deque(card for card in plan.cases if card.id not in gathering.lines)
    with ProgressLine(console, len(left)) as progress:
        team = _Team(options, plan, gathering, left, progress, RedCases(console))
        try:
            team.work(min(jobs, max(len(left), 1)))
        except BaseException:
            gathering.close(ended=False)
            raise
        finally:
            team.end()
    complaints = [*stale(gathering.cann), *plan.complaints]
    return gathering.close(ended=True, complaints=complaints, problems=plan.problems), team.troubles


class _Worker:
    """One process: its pipe, and the cards it has in hand."""

    def __init__(self, number: int, options: Options, record: Path) -> None:
        # A fresh interpreter: what this process has imported and started is no business of a runner.
        context = get_context("spawn")
        self.number = number
        self.pipe, theirs = context.Pipe()
        self._journal = record.with_suffix(f".{number}.running")
        self.process = context.Process(target=_serve, args=(theirs, number, options, self._journal))
        self.process.start()
        theirs.close()
        self.hand: deque[AnyCard] = deque()
        self.is_ready = False

    def deal(self, cards: list[AnyCard]) -> None:
        """Give it cards; none tells it to end."""
        self.hand.extend(cards)
        # A process that has just died is noticed when its pipe is read.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send(cards)

    def card_at(self) -> AnyCard:
        """The card that it was at when it died, taken out of its hand: the one that its journal names."""
        name = named_in(self._journal)
        card = next((card for card in self.hand if card.id == name), self.hand[0])
        self.hand.remove(card)
        return card

    def end(self) -> None:
        """Wait until it has ended, or make it end."""
        self.pipe.close()
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class _Team:
    """The processes of a run. Not a value: it knows who has what in hand."""

    def __init__(
        self,
        options: Options,
        plan: Plan,
        gathering: Gathering,
        left: deque[AnyCard],
        progress: ProgressLine,
        red: RedCases,
    ) -> None:
        self._options, self._plan, self._gathering = options, plan, gathering
        self._left, self._progress, self._red = left, progress, red
        self._workers: list[_Worker] = []
        self._died = 0
        self.troubles: list[str] = []

    def work(self, jobs: int) -> None:
        """Until every case is done; raises ConformanceError where a process cannot begin."""
        self._jobs = jobs
        for number in range(jobs):
            self._hire(number)
        while self._workers:
            for pipe in wait([worker.pipe for worker in self._workers]):
                worker = next(one for one in self._workers if one.pipe is pipe)
                try:
                    kind, *told = worker.pipe.recv()
                except (EOFError, ConnectionResetError):
                    self._bury(worker)
                else:
                    getattr(self, f"_take_{kind}")(worker, *told)

    def end(self) -> None:
        """End every process that is left."""
        for worker in self._workers:
            worker.end()

    def _hire(self, number: int) -> None:
        self._workers.append(_Worker(number, self._options, self._plan.record))

    def _deal(self, worker: _Worker) -> None:
        count = min(_MOST_DEALT, len(self._left) // (self._jobs * _PARTS) + 1, len(self._left))
        worker.deal([self._left.popleft() for _ in range(count)])

    def _take_ready(self, worker: _Worker, header: dict[str, Any]) -> None:
        share = self._plan.share
        self._gathering.begin(header if share is None else {**header, "shard": share.to_json()})
        worker.is_ready = True
        self._deal(worker)

    def _take_case(self, worker: _Worker, line: bytes, text: str) -> None:
        worker.hand.popleft()
        self._add(parse_line(line), text)
        if not worker.hand:
            self._deal(worker)

    def _take_refused(self, worker: _Worker, why: str) -> None:
        raise ConformanceError(why)

    def _take_closed(self, worker: _Worker, lost: str, trouble: str) -> None:
        if lost:
            self._gathering.complain(lost)
        if trouble and trouble not in self.troubles:
            self.troubles.append(trouble)
        self._workers.remove(worker)
        worker.end()

    def _add(self, line: Mapping[str, Any], text: str) -> None:
        self._gathering.add(line)
        self._progress.advance(Verdict(line["verdict"]))
        if text:
            self._red.print(line, text)

    def _bury(self, worker: _Worker) -> None:
        """Note the case that a process died at; the rest of its hand is for another."""
        self._workers.remove(worker)
        worker.end()
        why = f"the suite's process died, exit status {worker.process.exitcode}"
        if not worker.is_ready:
            raise ConformanceError(f"{why}, before its first case")
        self._died += 1
        if worker.hand:
            line = line_of_lost(worker.card_at(), Judged(Verdict.BROKEN, why))
            self._add(line, f"BROKEN {line['id']}\n  {why}")
            self._left.extendleft(reversed(worker.hand))
        else:
            self._gathering.complain(why)
        if self._died >= DEFAULT_RESTARTS:
            raise ConformanceError(f"the suite's processes died {self._died} times; the run stopped")
        if self._left:
            self._hire(worker.number)


def _serve(pipe: Connection, number: int, options: Options, journal: Path) -> None:
    """What a process does: cases as they are dealt, until none is."""
    os.environ[WORKER_VARIABLE] = str(number)
    with suppress(KeyboardInterrupt, EOFError, BrokenPipeError, ConnectionResetError):
        try:
            _execute(pipe, options, journal)
        except ConformanceError as error:
            pipe.send(("refused", str(error)))


def _execute(pipe: Connection, options: Options, journal: Path) -> None:
    supervisor, bodies = Supervisor(open_session(options, keep=True), Journal(journal)), Bodies()
    pipe.send(("ready", header_of(supervisor.session, options)))
    with settled():
        while cards := pipe.recv():
            for result in supervisor.execute_all(map(bodies.case, cards)):
                told = result.judged.verdict.is_red and not supervisor.lost
                pipe.send(("case", encoded(line_of(result)), explain(result, options) if told else ""))
    supervisor.close()
    pipe.send(("closed", supervisor.lost, trouble_of(supervisor.session.reference)))
