"""Functions that measure once: wall time, CPU time and memory of what they are given."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.target import Measure


def seconds(action: Callable[[], Any], calls: int = 1) -> Measure:
    """Wall seconds of one call, the mean over ``calls``."""
    return _timed(action, calls, time.perf_counter)


def cpu_seconds(action: Callable[[], Any], calls: int = 1) -> Measure:
    """CPU seconds of this process by one call, the mean over ``calls``."""
    return _timed(action, calls, time.process_time)


def _timed(action: Callable[[], Any], calls: int, clock: Callable[[], float]) -> Measure:
    def measure() -> float:
        start = clock()
        for _ in range(calls):
            action()
        return (clock() - start) / calls

    return measure


def allocated(action: Callable[[], Any]) -> Measure:
    """Most bytes that Python and numpy held at once beyond what was held before the call."""

    def measure() -> float:
        tracemalloc.start()
        try:
            action()
            return float(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()

    return measure


def command_seconds(arguments: Sequence[str | Path], *, environment: Mapping[str, str] | None = None) -> Measure:
    """Wall seconds of a command; RuntimeError with its output where it fails."""
    return seconds(lambda: finished(arguments, environment))


def python(*arguments: str | Path) -> tuple[str | Path, ...]:
    """Command line of this interpreter."""
    return (sys.executable, *arguments)


def finished(arguments: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> str:
    """What a command prints; RuntimeError with its output where it fails."""
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(
            f"{' '.join(map(str, arguments))} ended with {done.returncode}: {(done.stdout + done.stderr)[-500:]}"
        )
    return done.stdout


_PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def command_peak(arguments: Sequence[str | Path], *, environment: Mapping[str, str] | None = None) -> Measure:
    """MiB that a command held at most; RuntimeError where it fails.

    A small process starts it: what one begins with counts as held, and this one may hold much.
    """
    return lambda: int(finished(python("-S", "-c", _PEAK, *arguments), environment)) / 1024
