"""The one place that knows the order: generate → reference → run → measure → judge. One case in, one result out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from conformance.call import Call
from conformance.case import Case, Refusal, Success, Unspecified
from conformance.dtype import DType
from conformance.errors import BrokenCase, BrokenReference
from conformance.generate import make_call
from conformance.golden import Golden, follow
from conformance.golden_checks import check_golden
from conformance.guard import Snapshot
from conformance.investigate import Run, investigate, written
from conformance.measure import measure
from conformance.metrics import Probes
from conformance.outcome import Broken, Completed, Outcome, Rejected, Unsupported, located
from conformance.patterns import Diagnosis
from conformance.product import Product
from conformance.repetition import alike, repeat
from conformance.runner import MESSAGES, NO_MESSAGES, Reference, Runner
from conformance.select import Limits, reason_not_to_run
from conformance.standard import STRICT, ComparisonClass, Standard, probes_of
from conformance.tensor import Array
from conformance.verdict import Judged, Measured, Observation, Verdict, excuse, judge
from conformance.waiver import Setting, Waiver, waiver_for


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one case; ``observation`` is None when it was not run.

    ``seconds`` is the whole case's time. ``diagnoses`` says of each failed output what is wrong with it.

    ``strict`` is the judgement by this suite's own standard beside that by the one which the case's file asks for.

    ``second`` is what happened when a case that crashed or hung was run once more, alone in a fresh process; ``again``
    is the verdict when one that failed was run once more: one that then passes is flaky, which is no pass.
    """

    case: Case
    judged: Judged
    observation: Observation | None = None
    seconds: float = 0.0
    second: Outcome | None = None
    again: Verdict | None = None
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    strict: Judged | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One run's fixed surroundings: who is judged, as what product, against what, by which standard.

    Without ``diagnose`` failures are not explained, which is quicker where only verdicts count. Every call of a
    deterministic API is made at least ``repeat`` times. ``cann`` is the version that the runner states.
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
    probes: Probes = field(init=False)
    _unsupported: dict[str, str | None] = field(init=False, default_factory=dict)
    _silent: list[bool] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "probes", probes_of(self.standards.values()))

    def execute(self, case: Case) -> Result:
        """Run, measure and judge one case; never raises for what an implementation or a case does wrong."""
        start = time.perf_counter()
        waiver = waiver_for(self.waivers, case, self.setting)
        try:
            unsupported = self._why_unsupported(case.contract.api)
        except Exception as error:  # a fault of the harness, as in _run
            return Result(case, Judged(Verdict.BROKEN, f"the runner cannot say what it supports: {error}"))
        idle = reason_not_to_run(case, self.product, self.limits, unsupported, waiver)
        if idle is not None:
            return Result(case, idle)
        seen, run = self._observe(case)
        judged = judge(case.expectation, seen, self.standard_of(case))
        diagnoses = investigate(judged, seen, run, self.reference) if run is not None and self.diagnose else {}
        seconds, strict = time.perf_counter() - start, self._strictly(case, seen)
        return Result(case, excuse(judged, waiver), seen, seconds, diagnoses=diagnoses, strict=strict)

    def standard_of(self, case: Case) -> Standard:
        """The standard that judges a case: the one its file asks for, unless the session asks for another."""
        return self.standards.get(case.standard, self.standard) if self.standard.name == STRICT else self.standard

    def _strictly(self, case: Case, seen: Observation) -> Judged | None:
        """The judgement by the strict standard beside the case's own; None where they are one."""
        if self.standard_of(case) is self.standard:
            return None
        return judge(case.expectation, seen, self.standard)

    def judge(self, case: Case, seen: Observation) -> Judged:
        """Verdict on what was seen of a case, under this session's standard and waivers."""
        waiver = waiver_for(self.waivers, case, self.setting)
        return excuse(judge(case.expectation, seen, self.standard_of(case)), waiver)

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

    def _observe(self, case: Case) -> tuple[Observation, Run | None]:
        """What is seen of one run, and the run itself where the call ended."""
        try:
            call = self.make_call(case)
            golden = self._golden(case, call)
            benchmark = self._benchmark(call) if golden and not isinstance(golden, Unsupported) else None
        except (BrokenCase, BrokenReference) as error:
            return Observation(Broken(str(error))), None
        if isinstance(golden, Unsupported):
            return Observation(Broken(f"no golden: {golden.reason}")), None
        inputs = _inputs(call)
        before = Snapshot(call)
        earlier = self._lead_up(case)
        outcome = _run(self.runner, call) if earlier is None or isinstance(earlier, Call) else earlier
        if not isinstance(outcome, (Completed, Rejected)):
            return Observation(outcome), None
        measured = {} if not _ended_well(outcome) else self._measure(case, call, golden, benchmark, inputs)
        outputs = frozenset(name for name, tensor in call.tensors(written=True) if tensor.numel)
        vivid = any(not _is_flat(array) for array in inputs.values())
        again = self._repeat(case, call) if isinstance(outcome, Completed) else ""
        if not isinstance(again, str):
            return Observation(again), None
        faults = tuple(before.faults())
        silent = isinstance(outcome, Rejected) and self._may_be_silent
        untouched = before.untouched()
        same = _alike(case, call, earlier)
        seen = Observation(outcome, outputs, untouched, before.in_place, faults, measured, vivid, again, same, silent)
        return seen, Run(call, golden, inputs)

    def _repeat(self, case: Case, call: Call) -> Outcome | str:
        """What differs when the call is made again as often as case and session ask; nothing where it may differ."""
        times = max(case.repeat, self.repeat)
        if times < 2 or not case.contract.deterministic:
            return ""
        return repeat(times, call, lambda: self.make_call(case), partial(_run, self.runner))

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

    def _golden(self, case: Case, call: Call) -> Golden | Unsupported:
        """Golden of a call that may succeed; nothing for one that must be refused.

        Nothing either where the document does not admit the call and its formula cannot be applied to it.
        """
        if isinstance(case.expectation, Refusal) or not _may_succeed(case):
            return {}
        try:
            golden = self.reference.golden(call)
        except Exception as error:
            if isinstance(error, BrokenReference) and _is_beyond_the_document(case):
                return {}
            raise BrokenReference(f"the reference raised {type(error).__name__}: {error}") from error
        if isinstance(golden, Unsupported):
            return golden
        check_golden(case, golden, call)
        return golden

    def _benchmark(self, call: Call) -> Mapping[str, Array] | None:
        try:
            return self.reference.benchmark(call)
        except Exception as error:
            raise BrokenReference(f"the benchmark raised {type(error).__name__}: {error}") from error

    def _measure(
        self,
        case: Case,
        call: Call,
        golden: Golden,
        benchmark: Mapping[str, Array] | None,
        inputs: Mapping[str, Array],
    ) -> dict[str, Measured]:
        measured = {}
        values, theirs = follow(golden, written(call)), follow(golden, benchmark) if benchmark else {}
        for name, tensor in call.tensors(written=True):
            if name not in golden or tensor.numel == 0:
                continue
            metrics = measure(values[name], tensor.array(), tensor.dtype, self.probes, inputs)
            second = None
            if benchmark is not None and name in benchmark:
                second = measure(theirs[name], benchmark[name], tensor.dtype, self.probes)
            measured[name] = Measured(metrics, comparison_of(case, name, tensor.dtype), second)
        return measured


def _inputs(call: Call) -> dict[str, Array]:
    """What the call starts from; a copy of what it may write."""
    inputs = {name: tensor.array() for name, tensor in call.tensors(written=False) if tensor.dtype.carrier is not None}
    updated = {name: tensor.array().copy() for name, tensor in call.updated() if tensor.dtype.carrier is not None}
    return {**inputs, **updated}


def _alike(case: Case, call: Call, earlier: Call | Outcome | None) -> frozenset[str]:
    """Outputs that the case wants unlike those of the call before, and that hold the same bits."""
    wanted = case.expectation.unlike if isinstance(case.expectation, Success) else frozenset()
    return wanted & alike(call, earlier) if wanted and isinstance(earlier, Call) else frozenset()


def _is_flat(array: Array) -> bool:
    """Whether every element is zero, or every element is NaN."""
    first = array.reshape(-1)[:1]
    if not first.size or ((first != 0).any() and (first == first).any()):
        return not first.size
    return bool((array == 0).all() or (array != array).all())


def _run(runner: Runner, call: Call) -> Outcome:
    try:
        outcome = runner.run(call)
    except Exception as error:  # a runner that raises is a fault of the harness, never of the implementation
        return Broken(f"the runner raised {type(error).__name__}: {error}")
    # Foreign runners keep no types.
    return outcome if isinstance(outcome, Outcome) else Broken(f"the runner returned {outcome!r}, which is no outcome")


def _ended_well(outcome: Completed | Rejected) -> bool:
    ran = [result for result in outcome.results if result.step.action.value == "run"]
    return bool(ran) and ran[-1].status == 0


def comparison_of(case: Case, name: str, dtype: DType) -> ComparisonClass:
    """How closely an output of a case must match: as its contract says, unless the type has it rounded to integers."""
    declared = case.contract.outputs[name.partition(".")[0]]
    real = dtype.is_float or dtype.name.startswith("complex")
    kept = real or declared in (ComparisonClass.EXACT, ComparisonClass.QUANTISED)
    return declared if kept else ComparisonClass.INTEGER


def _may_succeed(case: Case) -> bool:
    expectation = case.expectation
    if isinstance(expectation, Unspecified):
        answers = (expectation.document, expectation.implementation)
        if not any(isinstance(answer, Success) for answer in answers):
            return False
    return not case.nulls and all(a is not None or _optional(case, n) for n, a in case.arguments.items())


def _is_beyond_the_document(case: Case) -> bool:
    """Whether only the implementation is known to take the call."""
    return isinstance(case.expectation, Unspecified) and not isinstance(case.expectation.document, Success)


def _optional(case: Case, name: str) -> bool:
    return case.contract.parameter(name).optional
