"""How cost grows: with the number of cases, and with the number of elements of one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path

from rich.console import Console

from benchmarks.clocks import cpu_seconds
from benchmarks.target import Contest, Figure, Measure, Setting, Target
from benchmarks.targets.generation import case_of
from benchmarks.targets.overhead import small_cards
from conformance.case import ValueSpec
from conformance.dtype import DTYPES
from conformance.execute import Session
from conformance.opening import open_session
from conformance.options import Options
from conformance.run import Plan, run

_OPTIONS = Options(runner="simulator", isolate=False)
_CASES, _ELEMENTS, _TIMES = 500, 1 << 20, 8


def cases_seconds(folder: Path, count: int) -> Callable[[int], Measure]:
    """Makes a measure of so many runs' worth of ``count`` small cases in one run: CPU seconds, record and all."""
    session, cards, record = open_session(_OPTIONS), small_cards(count), folder / "record.jsonl"

    def measure(times: int) -> Measure:
        plan = Plan(cards * times, record)
        return cpu_seconds(lambda: run(session, _OPTIONS, plan, Console(file=StringIO())))

    return measure


def elements_seconds(session: Session, count: int) -> Measure:
    """CPU seconds of one elementwise case of float32 of so many elements."""
    case = case_of(DTYPES["float32"], count, ValueSpec("uniform", [-8.0, 8.0]))
    return cpu_seconds(partial(session.execute, case))


def _with_cases(setting: Setting) -> Contest:
    measure = cases_seconds(setting.folder, setting.size(_CASES))
    return Contest(_each(measure(_TIMES)), measure(1))


def _with_elements(setting: Setting) -> Contest:
    session = open_session(_OPTIONS)
    few = setting.size(_ELEMENTS)
    return Contest(_each(elements_seconds(session, few * _TIMES)), elements_seconds(session, few))


def _each(measure: Measure) -> Measure:
    return lambda: measure() / _TIMES


TARGETS = (
    Target(
        "growth.cases",
        f"CPU time a case: {_TIMES * _CASES} small cases in one run against {_CASES}",
        Figure.RATIO,
        floor=1.1,
        aim=1.0,
        prepare=_with_cases,
    ),
    Target(
        "growth.elements",
        f"CPU time an element, gelu of float32: 2^23 elements against 2^20 ({_TIMES} times as many)",
        Figure.RATIO,
        floor=1.1,
        aim=1.0,
        prepare=_with_elements,
    ),
)
