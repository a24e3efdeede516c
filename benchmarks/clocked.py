"""A runner and a reference whose CPU time is added up, so that what the suite itself takes can be told from theirs."""

from __future__ import annotations

import atexit
import os
import struct
import time
from collections.abc import Callable, Mapping
from functools import cache
from mmap import mmap
from pathlib import Path
from typing import Any

from conformance.call import Call
from conformance.golden import Golden
from conformance.isolate import IsolatedRunner
from conformance.outcome import Outcome, Unsupported
from conformance.product import Product
from conformance.runner import Reference, Runner, RunnerInfo
from conformance.tensor import Array
from runners.reference.entry import LazyReference
from runners.simulator.runner import SimulatorRunner

_TIMES = struct.Struct("<2d")
"""Two numbers of seconds in a file."""


class Clock:
    """CPU seconds of this process in the functions it timed."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def timed(self, action: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns."""
        start = time.process_time()
        try:
            return action(*arguments)
        finally:
            self.seconds += time.process_time() - start


class ClockedRunner:
    """Another runner, its runs timed."""

    def __init__(self, runner: Runner, clock: Clock) -> None:
        self._runner, self._clock = runner, clock

    def describe(self) -> RunnerInfo:
        """What the other says."""
        return self._runner.describe()

    def supports(self, api: str, product: Product) -> str | None:
        """What the other says."""
        return self._runner.supports(api, product)

    def run(self, call: Call) -> Outcome:
        """What the other does."""
        outcome: Outcome = self._clock.timed(self._runner.run, call)
        return outcome


class ClockedSimulator(SimulatorRunner):
    """The simulator, for a child process: a file has the CPU seconds of such processes outside and inside of runs.

    It is written when a run begins, so the last one is missing. A process's start does not count.
    """

    def __init__(self, times: str) -> None:
        super().__init__()
        with Path(times).open("r+b") as file:
            self._times = mmap(file.fileno(), _TIMES.size)
        self._outside, inside = _TIMES.unpack(self._times)
        self._clock, self._begin = Clock(inside), time.process_time() - inside

    def run(self, call: Call) -> Outcome:
        """What the simulator does."""
        inside = self._clock.seconds
        _TIMES.pack_into(self._times, 0, self._outside + time.process_time() - self._begin - inside, inside)
        outcome: Outcome = self._clock.timed(super().run, call)
        return outcome


class ClockedChild(IsolatedRunner):
    """That simulator in a process of its own, which is there when this is built."""

    def __init__(self, times: Path) -> None:
        times.write_bytes(_TIMES.pack(0.0, 0.0))
        super().__init__(f"{__name__}:{ClockedSimulator.__name__}", {"times": str(times)})
        self._file = times
        self.describe()

    @property
    def seconds(self) -> tuple[float, float]:
        """CPU seconds of the process outside and inside of runs."""
        outside, inside = _TIMES.unpack(self._file.read_bytes())
        return outside, inside


TIMES = "CONFORMANCE_BENCHMARK_TIMES"
"""Variable that names the file in which a command leaves the CPU seconds of its runner and its reference."""


@cache
def _clock() -> Clock:
    """What this process leaves in that file when it ends."""
    clock = Clock()
    atexit.register(lambda: Path(os.environ[TIMES]).write_text(str(clock.seconds), encoding="ascii"))
    return clock


class TimedSimulator(SimulatorRunner):
    """The simulator, for a command that leaves its CPU seconds in a file."""

    def run(self, call: Call) -> Outcome:
        """What the simulator does."""
        outcome: Outcome = _clock().timed(super().run, call)
        return outcome


class TimedReference(LazyReference):
    """The reference, for such a command; that it is loaded is counted, too."""

    def golden(self, call: Call) -> Golden | Unsupported:
        """What the reference answers."""
        golden: Golden | Unsupported = _clock().timed(super().golden, call)
        return golden

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """What the reference answers."""
        answer: Mapping[str, Array] | None = _clock().timed(super().benchmark, call)
        return answer


class ClockedReference:
    """Another reference, its answers timed."""

    def __init__(self, reference: Reference, clock: Clock) -> None:
        self._reference, self._clock = reference, clock

    def describe(self) -> RunnerInfo:
        """What the other says."""
        return self._reference.describe()

    def golden(self, call: Call) -> Golden | Unsupported:
        """What the other answers."""
        golden: Golden | Unsupported = self._clock.timed(self._reference.golden, call)
        return golden

    def benchmark(self, call: Call) -> Mapping[str, Array] | None:
        """What the other answers."""
        answer: Mapping[str, Array] | None = self._clock.timed(self._reference.benchmark, call)
        return answer
