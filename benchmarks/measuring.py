"""Runs targets one after the other, the measured and its peer in turn."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.target import Contest, Found, Setting, Target

ROUNDS = 5
"""Rounds that count; one before them warms caches up."""
QUICK_ROUNDS = 3


def measured(targets: Iterable[Target], quick: bool) -> Iterator[Found]:
    """What is found of every target, as soon as it is; whatever goes wrong in one is its result."""
    for target in targets:
        with tempfile.TemporaryDirectory() as folder:
            try:
                yield _hold(target, target.prepare(Setting(Path(folder), quick)), QUICK_ROUNDS if quick else ROUNDS)
            except Exception as problem:
                yield Found(target, trouble=f"{type(problem).__name__}: {problem}")


def _hold(target: Target, contest: Contest, rounds: int) -> Found:
    try:
        pairs = [_round(contest) for _ in range(rounds + 1)][1:]
    finally:
        contest.close()
    ours = tuple(measured for measured, _ in pairs)
    return Found(target, ours, tuple(peer for _, peer in pairs if peer is not None))


def _round(contest: Contest) -> tuple[float, float | None]:
    gc.collect()
    peer = contest.peer() if contest.peer else None
    return contest.measured(), peer
