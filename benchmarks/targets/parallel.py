"""Two processes against one, over cases of the default tier: by the native door, and by pytest with xdist."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.case_set import own_cache
from benchmarks.clocks import command_seconds, finished, python
from benchmarks.target import Contest, Figure, Setting, Target
from conformance.caches import GOLDENS_VARIABLE, OFF
from conformance.data import data_root

_FOLDERS = 30
"""APIs whose cases are run: enough that starting is a small part of it."""


def _folders(setting: Setting) -> list[Path]:
    every = sorted(path.parent for path in data_root().rglob("contract.json"))
    return every[:: max(1, len(every) // setting.size(_FOLDERS))]


def _environment(setting: Setting) -> dict[str, str]:
    """No golden is kept: what is measured is that two processes share the work."""
    return {**own_cache(setting.folder), GOLDENS_VARIABLE: OFF}


def _native(setting: Setting) -> Contest:
    environment = _environment(setting)

    def command(jobs: int) -> Sequence[str | Path]:
        paths = [word for folder in _folders(setting) for word in ("--paths", folder)]
        record = setting.folder / f"{jobs}.jsonl"
        return python("-m", "conformance", "run", *paths, "--record", record, "--jobs", str(jobs))

    finished(command(2), environment)
    two, one = (command_seconds(command(jobs), environment=environment) for jobs in (2, 1))
    return Contest(two, one)


def _xdist(setting: Setting) -> Contest:
    environment = _environment(setting)

    def command(*how: str) -> Sequence[str | Path]:
        alone = ("-p", "no:cacheprovider", "-p", "conformance.pytest_plugin", "-c", "/dev/null")
        return python("-m", "pytest", "-q", *alone, "--rootdir", data_root(), *how, *_folders(setting))

    two, one = (command_seconds(command(*how), environment=environment) for how in (("-n", "2"), ()))
    return Contest(two, one)


TARGETS = (
    Target(
        "parallel.native",
        "run --jobs 2 against --jobs 1, over a third of the APIs",
        Figure.SPEEDUP,
        floor=1.6,
        aim=1.8,
        prepare=_native,
        slow=True,
    ),
    Target(
        "parallel.xdist",
        "pytest -n 2 against pytest in one process, over a third of the APIs",
        Figure.SPEEDUP,
        floor=1.0,
        aim=1.4,
        prepare=_xdist,
        slow=True,
    ),
)
