"""What a process of its own costs the calls that are made in it, and what a crash costs the calls after it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice

from benchmarks.clocks import seconds
from benchmarks.crashing import FATAL
from benchmarks.target import Contest, Figure, Setting, Target
from benchmarks.targets.overhead import small_cards
from conformance.call import Call
from conformance.case import Case, Success
from conformance.execute import Session
from conformance.generate import make_call
from conformance.isolate import IsolatedRunner
from conformance.listing import Bodies, load_listing
from conformance.opening import open_session
from conformance.options import Options
from conformance.product import PRODUCTS
from conformance.runner import Runner
from runners.simulator.runner import SimulatorRunner

_CALLS = 300
_LARGE = "activation.silu.numeric.a_million_elements"
_CRASHING = "benchmarks.crashing:CrashingRunner"
_CRASHES = 3
_PRODUCT = PRODUCTS["ascend910b"]


def _succeeding(count: int) -> list[Call]:
    """Calls of small cases that succeed."""
    bodies = Bodies()
    cases = (bodies.case(card) for card in small_cards(4 * count))
    plain = (case for case in cases if isinstance(case.expectation, Success) and not case.nulls and not case.earlier)
    return [make_call(case, _PRODUCT, 0) for case in islice(plain, count)]


def _run_all(runner: Runner, calls: Sequence[Call]) -> None:
    for call in calls:
        runner.run(call)
        call.workspaces.clear()


def _small(setting: Setting) -> Contest:
    calls, isolated, direct = _succeeding(setting.size(_CALLS)), IsolatedRunner("simulator"), SimulatorRunner()
    each = 1.0 / len(calls)
    inside, outside = seconds(partial(_run_all, direct, calls)), seconds(partial(_run_all, isolated, calls))
    return Contest(lambda: outside() * each, lambda: inside() * each, isolated.close)


def _large(setting: Setting) -> Contest:
    bodies = Bodies()
    cases = [bodies.case(card) for card in load_listing(None, [_LARGE]).cards if card.id.startswith(f"{_LARGE}.fp32")]
    isolated = open_session(Options(runner="simulator", isolate=True))
    direct = open_session(Options(runner="simulator", isolate=False))
    assert isinstance(isolated.runner, IsolatedRunner)
    return Contest(
        seconds(partial(_execute_all, isolated, cases)),
        seconds(partial(_execute_all, direct, cases)),
        isolated.runner.close,
    )


def _execute_all(session: Session, cases: Sequence[Case]) -> None:
    for case in cases:
        session.execute(case)


def _first_crash(setting: Setting) -> Contest:
    """A run of its own each time: whoever needs a second process has the contracts read before it."""
    call = _succeeding(1)[0]
    fatal = call.with_deadline(FATAL)

    def measure() -> float:
        isolated = IsolatedRunner(_CRASHING)
        try:
            isolated.run(call)
            return seconds(partial(_run_all, isolated, [fatal, call]))()
        finally:
            isolated.close()

    return Contest(measure)


def _crash(setting: Setting) -> Contest:
    call, isolated = _succeeding(1)[0], IsolatedRunner(_CRASHING)
    fatal = call.with_deadline(FATAL)
    return Contest(
        seconds(partial(_run_all, isolated, [fatal, call]), calls=setting.size(_CRASHES)),
        seconds(partial(_run_all, isolated, [call])),
        isolated.close,
    )


TARGETS = (
    Target(
        "isolation.small",
        "a small call in a process of its own against the same in this one",
        Figure.BEYOND,
        0.2e-3,
        0.1e-3,
        _small,
    ),
    Target(
        "isolation.large",
        "cases of a million elements, their calls in a process of its own against in this one",
        Figure.RATIO,
        1.1,
        1.05,
        _large,
    ),
    Target(
        "isolation.first_crash",
        "the first call of a run that kills its process, and the next one",
        Figure.ALONE,
        0.5,
        0.2,
        _first_crash,
    ),
    Target(
        "isolation.crash",
        "a further call that kills its process, and the next one, against that one alone",
        Figure.BEYOND,
        0.5,
        0.2,
        _crash,
    ),
)
