"""Cost of a small case beside reference and kernel: natively, with isolation, and under pytest.

The cases are those of real APIs, run as ``run`` runs them: expanded, made, judged and recorded.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path

from rich.console import Console

from benchmarks.clocked import Clock, ClockedReference, ClockedRunner
from benchmarks.target import Contest, Figure, Measure, Setting, Target
from conformance.card import Card
from conformance.case import Case
from conformance.execute import Session
from conformance.listing import load_listing
from conformance.options import Options, open_session
from conformance.run import Plan, run
from conformance.tier import of_tier

ROOT = Path(__file__).resolve().parent.parent.parent
_FAMILY = "activation"
_CASES = 2000
_OPTIONS = Options(runner="simulator", isolate=False)


def small_cards(count: int) -> list[Card | Case]:
    """Cards of small cases, file by file as a run takes them."""
    cards = (card for card in of_tier(load_listing(None, [_FAMILY]).cards, "default") if "small" in card.facets)
    return list(islice(cards, count))


def _natively(session: Session, cards: Sequence[Card | Case], record: Path) -> None:
    run(session, _OPTIONS, Plan(cards, record), Console(file=StringIO()))


def _own_seconds(cards: Sequence[Card | Case], record: Path) -> Measure:
    """CPU seconds of a case in this process, those of reference and runner aside."""
    usual = open_session(_OPTIONS)

    def measure() -> float:
        clock = Clock()
        runner, reference = ClockedRunner(usual.runner, clock), ClockedReference(usual.reference, clock)
        session = replace(usual, runner=runner, reference=reference)
        start = time.process_time()
        _natively(session, cards, record)
        return (time.process_time() - start - clock.seconds) / len(cards)

    return measure


def _native(setting: Setting) -> Contest:
    return Contest(_own_seconds(small_cards(setting.size(_CASES)), setting.folder / "record.jsonl"))


TARGETS = (
    Target(
        "overhead.native",
        "CPU time of a small case beside reference and kernel, `run` in one process",
        Figure.ALONE,
        0.5e-3,
        0.25e-3,
        _native,
    ),
)
