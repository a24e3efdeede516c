"""Cost of a small case beside reference and kernel: natively, with isolation, and under pytest.

The cases are those of real APIs, run as ``run`` runs them: expanded, made, judged and recorded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from rich.console import Console

from benchmarks.clocked import Clock, ClockedReference, ClockedRunner
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
_OPTIONS = Options(runner="simulator", isolate=False)


def small_cards(count: int) -> list[AnyCard]:
    """Cards of small cases, file by file as a run takes them."""
    cards = (card for card in of_tier(load_listing(None, [_FAMILY]).cards, "default") if "small" in card.facets)
    return list(islice(cards, count))


def _natively(session: Session, cards: Sequence[AnyCard], record: Path) -> None:
    run(session, _OPTIONS, Plan(cards, record), Console(file=StringIO()))


class Own:
    """CPU seconds of cases in this process, those of reference and runner apart."""

    def __init__(self, cards: Sequence[AnyCard], record: Path) -> None:
        self._usual, self._cards, self._record = open_session(_OPTIONS), cards, record

    def measure(self) -> tuple[float, float]:
        """Those of everything else, and those of reference and runner."""
        clock = Clock()
        runner = ClockedRunner(self._usual.runner, clock)
        reference = ClockedReference(self._usual.reference, clock)
        start = time.process_time()
        _natively(replace(self._usual, runner=runner, reference=reference), self._cards, self._record)
        return time.process_time() - start - clock.seconds, clock.seconds


def _native(setting: Setting) -> Contest:
    cards = small_cards(setting.size(_CASES))
    own = Own(cards, setting.folder / "record.jsonl")
    return Contest(lambda: own.measure()[0] / len(cards))


def _under_pytest(setting: Setting) -> Contest:
    """CPU time of pytest over folders of cases less that of reference and runner, beside pytest over empty tests.

    Each less that of a pytest with one case or test, which has its start and its imports.
    """
    folders = sorted({card.path.parent for card in small_cards(setting.size(_CASES))})
    cards = [card for card in of_tier(load_listing(folders).cards, "default") if "small" in card.facets]
    own = Own(cards, setting.folder / "record.jsonl")
    many, single = _empty_tests(setting.folder, len(cards)), _empty_tests(setting.folder, 1)
    one = f"{cards[0].path}::{cards[0].id}"

    def ours() -> float:
        arithmetic = own.measure()[1]
        return _pytest_seconds(*folders, "-k", "small") - _pytest_seconds(one) - arithmetic

    return Contest(ours, lambda: _pytest_seconds(many) - _pytest_seconds(single))


def _empty_tests(folder: Path, count: int) -> Path:
    path = folder / f"test_{count}.py"
    head = "import pytest\n\n\n@pytest.mark.parametrize('number', range("
    path.write_text(f"{head}{count}))\ndef test_nothing(number):\n    pass\n", encoding="utf-8")
    return path


def _pytest_seconds(*arguments: str | Path) -> float:
    """CPU seconds of a pytest and what it started."""
    before = getrusage(RUSAGE_CHILDREN)
    environment = {**os.environ, "CONFORMANCE_GOLDEN_CACHE": "off", "PYTHONPATH": str(ROOT)}
    finished(python("-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments), environment)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


TARGETS = (
    Target(
        "overhead.native",
        "CPU time of a small case beside reference and kernel, `run` in one process",
        Figure.ALONE,
        0.5e-3,
        0.25e-3,
        _native,
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
