"""The one place that knows the order: generate → reference → run → measure → judge. One case in, one result out.

The first two can be done for several cases before the first of them is run, one step after the other: what a processor
has just done for one case it does for the next in half the time, where torch has not been in between.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial

import msgspec

from conformance.call import Action, Call
from conformance.case import Case, Success
from conformance.errors import BrokenCase, BrokenReference
from conformance.exchange import is_light
from conformance.generate import make_call
from conformance.guard import Snapshot
from conformance.inputs import inputs_of, is_vivid
from conformance.investigate import Run, investigate
from conformance.metrics import Probes
from conformance.outcome import Broken, Completed, Outcome, Rejected, Unsupported, located
from conformance.patterns import Diagnosis
from conformance.product import Product
from conformance.repetition import alike, repeat
from conformance.runner import AHEAD, MESSAGES, NO_MESSAGES, LooksAhead, Reference, Runner
from conformance.select import Limits, reason_not_to_run
from conformance.standard import Standard, probes_of
from conformance.tensor import Array
from conformance.verdict import Judged, Observation, Verdict, excuse, judge
from conformance.waiver import Setting, Waiver, waiver_for
from conformance.yardstick import Yardstick, Yardsticks


class Result(msgspec.Struct, frozen=True):
    """What became of one case; ``observation`` is None when it was not run.

    ``seconds`` is the whole case's time. ``diagnoses`` says of each failed output what is wrong with it.

    ``strict`` is the judgement by this suite's own standard beside that by the one which the case's file asks for.

    ``second`` is what happened when a case that crashed or hung was run once more, alone in a fresh process; ``again``
    is the verdict when one that failed was run once more: one that then passes is flaky, which is no pass.

    ``kept`` says that its outputs were judged by goldens or metrics of an earlier run, without asking the reference.
    """

    case: Case
    judged: Judged
    observation: Observation | None = None
    seconds: float = 0.0
    second: Outcome | None = None
    again: Verdict | None = None
    diagnoses: Mapping[str, Diagnosis] = msgspec.field(default_factory=dict)
    strict: Judged | None = None
    kept: bool = False


@dataclass(slots=True, eq=False)
class Begun:
    """A case on its way through a session. Not a value: each step adds what it finds.

    ``idle`` says why the case is not run, ``broken`` what of suite or reference is at fault. ``seconds`` is the time
    taken so far.
    """

    case: Case
    waiver: Waiver | None = None
    idle: Judged | None = None
    broken: str = ""
    call: Call | None = None
    yardstick: Yardstick | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Session:
    """One run's fixed surroundings: who is judged, as what product, against what, by which standard.

    Without ``diagnose`` failures are not explained, which is quicker where only verdicts count. Every call of a
    deterministic API is made at least ``repeat`` times. ``cann`` is the version that the runner states. Unless
    ``standard`` is that ``of_every_case``, a case whose file asks for one is judged by that.
    """

    runner: Runner
    reference: Reference
    product: Product
    standard: Standard
    standards: Mapping[str, Standard]
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    waivers: tuple[Waiver, ...] = ()
    today: date = field(default_factory=date.today)
    cann: str = ""
    deadline: float | None = None
    repeat: int = 1
    diagnose: bool = True
    of_every_case: bool = False
    probes: Probes = field(init=False)
    _yardsticks: Yardsticks = field(init=False)
    _unsupported: dict[str, str | None] = field(init=False, default_factory=dict)
    _silent: list[bool] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "probes", probes_of(self.standards.values()))
        yardsticks = Yardsticks(self.reference, self.product, self.seed, self.probes, self.make_call)
        object.__setattr__(self, "_yardsticks", yardsticks)

    def execute(self, case: Case) -> Result:
        """Run, measure and judge one case; never raises for what an implementation or a case does wrong."""
        (begun,) = self.begin((case,))
        return self.finish(begun)

    def begin(self, cases: Iterable[Case], about_to: Callable[[Case], None] | None = None) -> list[Begun]:
        """Make the calls of cases, then ask the reference for answers; ``about_to`` is told before each question."""
        begun = [Begun(case) for case in cases]
        for one in begun:
            self._make(one)
        for one in begun:
            if one.call is not None:
                if about_to is not None:
                    about_to(one.case)
                self._ask(one, one.call)
        return begun

    def _make(self, begun: Begun) -> None:
        """The call of a case that is to be run."""
        case, start = begun.case, time.perf_counter()
        begun.waiver = self._waiver(case)
        try:
            unsupported = self._why_unsupported(case.contract.api)
        except Exception as error:  # a fault of the harness, as in _run
            begun.idle = Judged(Verdict.BROKEN, f"the runner cannot say what it supports: {error}")
            return
        begun.idle = reason_not_to_run(case, self.product, self.limits, unsupported, begun.waiver)
        if begun.idle is None:
            try:
                begun.call = self.make_call(case)
            except BrokenCase as error:
                begun.broken = str(error)
        begun.seconds += time.perf_counter() - start

    def _ask(self, begun: Begun, call: Call) -> None:
        """What is right for a call that was made."""
        start = time.perf_counter()
        try:
            yardstick = self._yardsticks.of(begun.case, call)
        except (BrokenCase, BrokenReference) as error:
            begun.broken = str(error)
        else:
            if isinstance(yardstick, Unsupported):
                begun.broken = f"no golden: {yardstick.reason}"
            else:
                begun.yardstick = yardstick
        begun.seconds += time.perf_counter() - start

    def finish(self, begun: Begun) -> Result:
        """Run, measure and judge a case that was begun."""
        case, start = begun.case, time.perf_counter()
        if begun.idle is not None:
            return Result(case, begun.idle)
        seen, traces = self._observe(begun)
        judged = judge(case.expectation, seen, self.standard_of(case))
        diagnoses = self._diagnoses(judged, seen, traces) if traces is not None and self.diagnose else {}
        seconds, strict = begun.seconds + time.perf_counter() - start, self._strictly(case, seen)
        kept = traces is not None and traces.yardstick.is_kept
        return Result(case, excuse(judged, begun.waiver), seen, seconds, diagnoses=diagnoses, strict=strict, kept=kept)

    def _diagnoses(self, judged: Judged, seen: Observation, traces: _Traces) -> Mapping[str, Diagnosis]:
        if judged.verdict is not Verdict.FAILED:
            return {}
        try:
            run = Run(traces.call, traces.yardstick.golden, traces.inputs)
        except (BrokenCase, BrokenReference):  # goldens that an earlier run had, and that cannot be made now
            return {}
        return investigate(judged, seen, run, self.reference)

    def standard_of(self, case: Case) -> Standard:
        """The standard that judges a case: the one its file asks for, unless the session's is that of every case."""
        return self.standard if self.of_every_case else self.standards.get(case.standard, self.standard)

    def _strictly(self, case: Case, seen: Observation) -> Judged | None:
        """The judgement by the strict standard beside the case's own; None where they are one."""
        if self.standard_of(case) is self.standard:
            return None
        return judge(case.expectation, seen, self.standard)

    def judge(self, case: Case, seen: Observation) -> Judged:
        """Verdict on what was seen of a case, under this session's standard and waivers."""
        return excuse(judge(case.expectation, seen, self.standard_of(case)), self._waiver(case))

    def _waiver(self, case: Case) -> Waiver | None:
        return waiver_for(self.waivers, case, self.setting) if self.waivers else None

    @property
    def setting(self) -> Setting:
        """What waivers look at."""
        return Setting(self.product, self.today, self.cann)

    def _why_unsupported(self, api: str) -> str | None:
        """What the runner says of an API; asked once, since it may live in another process."""
        if api not in self._unsupported:
            self._unsupported[api] = self.runner.supports(api, self.product)
        return self._unsupported[api]

    @property
    def _may_be_silent(self) -> bool:
        """Whether the runner says that its implementation has no error texts; asked once."""
        if not self._silent:
            self._silent.append(self.runner.describe().facts.get(MESSAGES) == NO_MESSAGES)
        return self._silent[0]

    def make_call(self, case: Case) -> Call:
        """The call this session makes of a case; raises BrokenCase."""
        call = make_call(case, self.product, self.seed)
        return call if self.deadline is None else call.with_deadline(self.deadline)

    def _observe(self, begun: Begun) -> tuple[Observation, _Traces | None]:
        """What is seen of one run, and what it leaves to be looked into where the call ended."""
        case, call, yardstick = begun.case, begun.call, begun.yardstick
        if call is None or yardstick is None:
            return Observation(Broken(begun.broken)), None
        inputs = inputs_of(call)
        before = Snapshot(call)
        earlier = self._lead_up(case)
        outcome = _run(self.runner, call) if earlier is None or isinstance(earlier, Call) else earlier
        if not isinstance(outcome, (Completed, Rejected)):
            return Observation(outcome), None
        faults = tuple(before.faults())
        try:
            inputs = inputs_of(self.make_call(case)) if faults else inputs
            measured = yardstick.measure(call, inputs) if _ended_well(outcome) else {}
        except (BrokenCase, BrokenReference) as error:
            return Observation(Broken(str(error))), None
        outputs = frozenset(name for name, tensor in call.tensors(written=True) if tensor.numel)
        vivid = is_vivid(inputs)
        again = self._repeat(case, call) if isinstance(outcome, Completed) else ""
        if not isinstance(again, str):
            return Observation(again), None
        silent = isinstance(outcome, Rejected) and self._may_be_silent
        untouched = before.untouched()
        same = _alike(case, call, earlier)
        seen = Observation(outcome, outputs, untouched, before.in_place, faults, measured, vivid, again, same, silent)
        return seen, _Traces(call, yardstick, inputs)

    def _repeat(self, case: Case, call: Call) -> Outcome | str:
        """What differs when the call is made again as often as case and session ask; nothing where it may differ."""
        times = max(case.repeat, self.repeat)
        if times < 2 or not case.contract.deterministic:
            return ""
        return repeat(times, call, self._copies(self.make_call(case), times - 1), partial(_run, self.runner))

    def _copies(self, call: Call, count: int) -> Iterator[Call]:
        """Copies of a call; a runner that looks ahead is told of some at a time."""
        told = self.runner if isinstance(self.runner, LooksAhead) and is_light(call) else None
        at_once = 1 if told is None else AHEAD
        for first in range(0, count, at_once):
            calls = [call.copy() for _ in range(min(at_once, count - first))]
            if told is not None:
                told.ahead(calls)
            yield from calls

    def _lead_up(self, case: Case) -> Call | Outcome | None:
        """Make the calls that come before a case's own: the last of them, or the first outcome that is no return."""
        call = None
        for earlier in case.earlier:
            try:
                call = self.make_call(earlier)
                outcome = _run(self.runner, call)
            except BrokenCase as error:
                outcome = Broken(str(error))
            if not isinstance(outcome, (Completed, Rejected)):
                return located(outcome, f"in the call before it, {earlier.group}")
        return call


@dataclass(frozen=True, slots=True, eq=False)
class _Traces:
    """What a call leaves behind that ended."""

    call: Call
    yardstick: Yardstick
    inputs: Mapping[str, Array]


def _alike(case: Case, call: Call, earlier: Call | Outcome | None) -> frozenset[str]:
    """Outputs that the case wants unlike those of the call before, and that hold the same bits."""
    wanted = case.expectation.unlike if isinstance(case.expectation, Success) else frozenset()
    return wanted & alike(call, earlier) if wanted and isinstance(earlier, Call) else frozenset()


def _run(runner: Runner, call: Call) -> Outcome:
    try:
        outcome = runner.run(call)
    except Exception as error:  # a runner that raises is a fault of the harness, never of the implementation
        return Broken(f"the runner raised {type(error).__name__}: {error}")
    # Foreign runners keep no types.
    return outcome if isinstance(outcome, Outcome) else Broken(f"the runner returned {outcome!r}, which is no outcome")


def _ended_well(outcome: Completed | Rejected) -> bool:
    ran = [result for result in outcome.results if result.step.action is Action.RUN]
    return bool(ran) and ran[-1].status == 0
