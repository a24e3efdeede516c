"""A runner and a reference whose CPU time is added up, so that what the suite itself takes can be told from theirs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from conformance.call import Call
from conformance.golden import Golden
from conformance.outcome import Outcome, Unsupported
from conformance.product import Product
from conformance.runner import Reference, Runner, RunnerInfo
from conformance.tensor import Array


class Clock:
    """CPU seconds of this process in the functions it timed."""

    def __init__(self) -> None:
        self.seconds = 0.0

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
