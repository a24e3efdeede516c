"""Cost of a small case beside reference and kernel: natively, with isolation and without, and under pytest.

The cases are those of real APIs, run as ``run`` runs them: expanded, made, judged and recorded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from rich.console import Console

from benchmarks.clocked import (
    TIMES,
    Clock,
    ClockedChild,
    ClockedReference,
    ClockedRunner,
    TimedReference,
    TimedSimulator,
)
from benchmarks.clocks import finished, python
from benchmarks.target import Contest, Figure, Setting, Target
from conformance.execute import Session
from conformance.listing import AnyCard, load_listing
from conformance.opening import open_session
from conformance.options import Options
from conformance.run import Plan, run
from conformance.tier import of_tier

ROOT = Path(__file__).resolve().parent.parent.parent
_FAMILY = "activation"
_CASES = 2000


def small_cards(count: int) -> list[AnyCard]:
    """Cards of small cases, file by file as a run takes them."""
    cards = (card for card in of_tier(load_listing(None, [_FAMILY]).cards, "default") if "small" in card.facets)
    return list(islice(cards, count))


class Own:
    """CPU seconds of a run of cases: those of reference and runner, and those of everything else."""

    def __init__(self, cards: Sequence[AnyCard], folder: Path, *, isolate: bool) -> None:
        self._options = Options(runner="simulator", isolate=isolate)
        # The session's own runner is not asked: clocked ones stand in for it.
        self._usual = open_session(replace(self._options, isolate=False))
        self._cards, self._folder = cards, folder

    def measure(self) -> tuple[float, float]:
        """Those of everything else, in all processes, and those of reference and runner."""
        clock = Clock()
        child = ClockedChild(self._folder / "times") if self._options.isolate else None
        runner = child or ClockedRunner(self._usual.runner, clock)
        reference = ClockedReference(self._usual.reference, clock)
        start = time.process_time()
        self._run(replace(self._usual, runner=runner, reference=reference))
        here = time.process_time() - start - clock.seconds
        there, arithmetic = child.seconds if child else (0.0, 0.0)
        return here + there, clock.seconds + arithmetic

    def _run(self, session: Session) -> None:
        run(session, self._options, Plan(self._cards, self._folder / "record.jsonl"), Console(file=StringIO()))


def _native(setting: Setting, *, isolate: bool) -> Contest:
    cards = small_cards(setting.size(_CASES))
    own = Own(cards, setting.folder, isolate=isolate)
    return Contest(lambda: own.measure()[0] / len(cards))


def _under_pytest(setting: Setting) -> Contest:
    """CPU time of pytest over folders of cases less that of reference and runner, beside pytest over empty tests.

    Each less that of a pytest with one case or test, which has its start and its imports.
    """
    folders = sorted({card.path.parent for card in small_cards(setting.size(_CASES))})
    cards = [card for card in of_tier(load_listing(folders).cards, "default") if "small" in card.facets]
    many, single = _empty_tests(setting.folder, len(cards)), _empty_tests(setting.folder, 1)
    one = f"{cards[0].path}::{cards[0].id}"
    times = setting.folder / "times"
    return Contest(
        lambda: _beside_arithmetic(times, *folders, "-k", "small") - _beside_arithmetic(times, one),
        lambda: _pytest_seconds(many) - _pytest_seconds(single),
    )


def _empty_tests(folder: Path, count: int) -> Path:
    path = folder / f"test_{count}.py"
    head = "import pytest\n\n\n@pytest.mark.parametrize('number', range("
    path.write_text(f"{head}{count}))\ndef test_nothing(number):\n    pass\n", encoding="utf-8")
    return path


def _beside_arithmetic(times: Path, *arguments: str | Path) -> float:
    """CPU seconds of a pytest over cases, but for those that its runner and its reference take and note in a file."""
    times.unlink(missing_ok=True)
    clocked = f"{TimedSimulator.__module__}:"
    runner = ("--runner", clocked + TimedSimulator.__name__, "--no-isolate")
    seconds = _pytest_seconds(*arguments, *runner, "--reference", clocked + TimedReference.__name__, times=times)
    return seconds - float(times.read_text(encoding="ascii"))


def _pytest_seconds(*arguments: str | Path, times: Path | None = None) -> float:
    """CPU seconds of a pytest and what it started."""
    before = getrusage(RUSAGE_CHILDREN)
    environment = {**os.environ, "CONFORMANCE_GOLDEN_CACHE": "off", "PYTHONPATH": str(ROOT), TIMES: str(times)}
    finished(python("-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments), environment)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


TARGETS = (
    Target(
        "overhead.native",
        "CPU time of a small case beside reference and kernel, `run` with the runner in a process of its own, both",
        Figure.ALONE,
        0.5e-3,
        0.25e-3,
        partial(_native, isolate=True),
    ),
    Target(
        "overhead.one_process",
        "CPU time of a small case beside reference and kernel, `run` in one process",
        Figure.ALONE,
        0.4e-3,
        0.2e-3,
        partial(_native, isolate=False),
    ),
    Target(
        "overhead.pytest",
        "CPU time of small cases under pytest beside reference and kernel, against as many empty parametrised tests",
        Figure.RATIO,
        2.0,
        1.3,
        _under_pytest,
    ),
)
