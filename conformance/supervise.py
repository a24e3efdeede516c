"""Watches over a session whose runner lives in a child process: second tries, canaries, bounded restarts.

A crash or a hang costs its own case: the case is run once more alone in a fresh child, and both outcomes are recorded.
After a refusal or a failure a canary — the last small case of one call that passed — shows whether the child was
poisoned. When children die too often, or a canary fails even in a fresh one, the infrastructure is lost and the run
stops: what was not run is *not run*, never a failure of the implementation.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from io import FileIO
from pathlib import Path

from msgspec.structs import replace

from conformance.batches import batches
from conformance.call import Call
from conformance.canary import Canary
from conformance.case import Case, Refusal, Success, Unspecified
from conformance.exchange import is_light
from conformance.execute import Begun, Result, Session
from conformance.isolate import IsolatedRunner
from conformance.kept_reference import KeptReference
from conformance.outcome import Broken, Completed, Crashed, Outcome, Rejected, TimedOut
from conformance.runner import AHEAD, LooksAhead
from conformance.verdict import Judged, Verdict

DEFAULT_RESTARTS = 100
"""Children that may die in one run before it stops."""


class Journal:
    """Names the case about to be run in a small file, so that the culprit is known when the whole run is killed.

    It names a case before the reference is asked about it, too, and the first of several whose calls are made together.

    The file is written over in place, blanks after the line covering what a longer one left: emptying it first, as
    opening it anew would, costs milliseconds on file systems that then put the old contents on the disk.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file: FileIO | None = None
        self._longest = 0

    def begin(self, case_id: str) -> None:
        """Write the id of the case about to run."""
        if self._file is None:
            self._file = self._path.open("wb", buffering=0)
        line = f"{case_id}\n".encode()
        self._longest = max(self._longest, len(line))
        os.pwrite(self._file.fileno(), line.ljust(self._longest), 0)

    def end(self) -> None:
        """Remove the file: nothing is running."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._path.unlink(missing_ok=True)


def named_in(path: Path) -> str:
    """The id of the case that a journal names; empty where it names none."""
    try:
        return path.read_text("utf-8").partition("\n")[0]
    except OSError:
        return ""


class Supervisor:
    """Executes cases one after another. Not a value: it remembers the canary and whether the infrastructure is lost."""

    def __init__(self, session: Session, journal: Journal | None = None, restarts: int = DEFAULT_RESTARTS) -> None:
        self.session = session
        runner = session.runner
        # Asked once: to look whether a runner has a method takes longer than many a step of a small case.
        self._told = runner if isinstance(runner, LooksAhead) else None
        self._journal = journal
        self._restarts = restarts
        self._canary = Canary(session)
        self._renewed = 0
        self.lost: str = ""

    def execute(self, case: Case) -> Result:
        """Result of one case; ``not_run`` once the infrastructure is lost."""
        (result,) = self.execute_all((case,))
        return result

    def execute_all(self, cases: Iterable[Case]) -> Iterator[Result]:
        """Results of cases in their order, as they come; small ones are begun together."""
        for batch in batches(cases):
            begun = deque(self._begin(batch))
            if not begun:
                yield from (Result(case, Judged(Verdict.NOT_RUN, self.lost)) for case in batch)
            while begun:
                group = self._next_group(begun)
                while group:
                    one = group.popleft()
                    yield Result(one.case, Judged(Verdict.NOT_RUN, self.lost)) if self.lost else self._finish(one)
                    del one  # a large case is gone before the next one is made

    def _next_group(self, begun: deque[Begun]) -> deque[Begun]:
        """Take the next cases whose calls are made together, with canaries after refusals; one alone else."""
        group, calls = deque([begun.popleft()]), list[Call]()
        if self._told is None:
            return group
        kind, told = type(group[0].case.expectation), self._foreseen(group[0])
        while told is not None:
            calls += told
            # Of one kind only: a case that passes is the canary after the next refusal.
            same = begun and type(begun[0].case.expectation) is kind and len(calls) < AHEAD
            told = self._foreseen(begun[0]) if same else None
            if told is not None:
                group.append(begun.popleft())
        self._told.ahead(calls)
        return group

    def _foreseen(self, begun: Begun) -> list[Call] | None:
        """The calls that a case will make, none if it is not run; None where that is open, or what it leaves behind."""
        case, call = begun.case, begun.call
        if call is None or begun.yardstick is None:
            return []
        if case.earlier or max(case.repeat, self.session.repeat) > 1 or _may_do_anything(case) or not is_light(call):
            return None
        if not isinstance(case.expectation, Refusal):
            return [call]
        canary = self._canary.foresee()
        return None if canary is None else [call, canary]

    def _begin(self, batch: Sequence[Case]) -> list[Begun]:
        if self.lost:
            return []
        self._name(batch[0])
        return self.session.begin(batch, self._name)

    def _name(self, case: Case) -> None:
        """Say in the journal which case something is about to be done for."""
        if self._journal is not None:
            self._journal.begin(case.id)

    def _finish(self, begun: Begun) -> Result:
        self._name(begun.case)
        result = self.session.finish(begun)
        runner = self.session.runner
        result = self._attend(result, begun.call, runner) if isinstance(runner, IsolatedRunner) else result
        return self._once_more(result) if _failed_by_itself(result) else result

    def _once_more(self, result: Result) -> Result:
        """A failed case again: one that now passes is flaky, and the record says so."""
        again = self.session.execute(result.case).judged.verdict
        if again is result.judged.verdict:
            return replace(result, again=again)
        judged = replace(result.judged, reason=f"{result.judged.reason}; run again it {_PAST.get(again, again.value)}")
        return replace(result, judged=judged, again=again)

    def close(self) -> None:
        """End the journal and the child, and write the answers that a kept reference keeps."""
        if self._journal is not None:
            self._journal.end()
        if isinstance(self.session.runner, IsolatedRunner):
            self.session.runner.close()
        if isinstance(self.session.reference, KeptReference):
            self.session.reference.close()

    def _attend(self, result: Result, call: Call | None, runner: IsolatedRunner) -> Result:
        outcome = result.observation.outcome if result.observation else None
        if outcome is not None and _may_do_anything(result.case):
            runner.renew()  # what undefined behaviour left behind is no later case's business
            self._renewed += 1
        elif isinstance(outcome, Broken):
            runner.renew()  # whatever harness trouble it had, the next case gets a fresh process
        elif isinstance(outcome, (Crashed, TimedOut)):
            result = self._try_again(result, outcome)
        elif isinstance(outcome, Rejected) or result.judged.verdict is Verdict.FAILED:
            result = self._ask_canary(result, runner)
        elif call is not None and outcome is not None and self._is_canary(result):
            self._canary.become(result.case, call, outcome)
        died = runner.starts - 1 - self._renewed
        if died >= self._restarts and not self.lost:
            self.lost = f"the runner's process died {died} times, more than {self._restarts}; the run stopped"
        return result

    def _is_canary(self, result: Result) -> bool:
        case = result.case
        plain = isinstance(case.expectation, Success) and not case.expectation.statuses
        single = case.repeat == 1 and not case.after
        return plain and single and result.judged.verdict is Verdict.PASSED and "small" in case.facets

    def _try_again(self, result: Result, first: Outcome) -> Result:
        """The culprit once more in a fresh child, alone; its verdict stays, the second outcome is told."""
        second = self.session.execute(result.case)
        outcome = second.observation.outcome if second.observation else Broken(second.judged.reason)
        again = f"{outcome} again" if type(outcome) is type(first) else f"{second.judged.verdict.value} ({outcome})"
        judged = replace(result.judged, reason=f"{result.judged.reason}; alone in a fresh process: {again}")
        return replace(result, judged=judged, second=outcome)

    def _ask_canary(self, result: Result, runner: IsolatedRunner) -> Result:
        """A case that passed before must still pass; when it does not, this case poisoned the process."""
        voided = runner.voided
        complaint = self._canary.complaint()
        if complaint and runner.voided > voided:
            complaint = self._complaint_after(result.case, runner)
        if not complaint or self._canary.case is None:
            return result
        name = self._canary.case.id
        runner.renew()
        still = self._canary.complaint()
        if still:
            self.lost = f"{name} passed before and fails in a fresh process: {still}"
            return result
        return self._poisoned(result, f"after it {name} fails in the same process: {complaint}")

    def _complaint_after(self, case: Case, runner: IsolatedRunner) -> str:
        """What the canary says after a case in a fresh process, where calls made ahead may be what spoilt the other."""
        runner.renew()
        self.session.execute(case)
        complaint = self._canary.complaint()
        self._renewed += bool(complaint)  # the process is given up once more for it, which counts
        return complaint

    def _poisoned(self, result: Result, complaint: str) -> Result:
        assert result.observation is not None
        seen = replace(result.observation, poison=complaint)
        return replace(result, observation=seen, judged=self.session.judge(result.case, seen))


_PAST = {Verdict.PASSED: "passed: flaky"}


def _failed_by_itself(result: Result) -> bool:
    """Whether a case failed that neither crashed nor hung, nor left the process in a bad state."""
    seen = result.observation
    ended = seen is not None and isinstance(seen.outcome, (Completed, Rejected)) and not seen.poison
    return ended and result.judged.verdict is Verdict.FAILED


def _may_do_anything(case: Case) -> bool:
    return isinstance(case.expectation, Unspecified) and case.expectation.crash
