"""Whole runs: against what runner and reference take of them, the runner's checks included; and cases a second."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from benchmarks.clocks import seconds
from benchmarks.target import Contest, Figure, Setting, Target
from benchmarks.targets.overhead import Own, small_cards
from conformance.data import data_root
from conformance.listing import AnyCard, load_listing
from conformance.opening import open_session
from conformance.options import Options
from conformance.run import Plan, run
from conformance.tier import of_tier

_EVERY = 6
"""One API in so many is run, all its cases."""
_CASES = 2000


def _default_tier(setting: Setting) -> Contest:
    """CPU time of a run in one process, beside what runner and reference took of that very run."""
    own = Own(_cards(), setting.folder, isolate=False)
    whole: list[float] = []

    def arithmetic() -> float:
        others, bare = own.measure()
        whole.append(others + bare)
        return bare

    return Contest(whole.pop, arithmetic)


def _cards() -> Sequence[AnyCard]:
    folders = sorted(path.parent for path in (data_root() / "activation").glob("*/contract.json"))
    return of_tier(load_listing(folders[::_EVERY]).cards, "default")


def _small_reference(setting: Setting) -> Contest:
    cards, options = small_cards(setting.size(_CASES)), Options(runner="reference", isolate=False)
    plan, session = Plan(cards, setting.folder / "record.jsonl"), open_session(options)
    whole = seconds(lambda: run(session, options, plan, Console(file=StringIO())))
    return Contest(lambda: whole() / len(cards))


TARGETS = (
    Target(
        "end_to_end.default_tier",
        f"default tier of every {_EVERY}th API on the simulator, against the time that runner and reference take of it",
        Figure.RATIO,
        floor=2.0,
        aim=1.3,
        prepare=_default_tier,
        slow=True,
    ),
    Target(
        "end_to_end.small_reference",
        "a small case on the reference, judged and recorded, in one process",
        Figure.ALONE,
        floor=1e-3,
        aim=0.7e-3,
        prepare=_small_reference,
    ),
)
