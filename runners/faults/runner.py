"""The runner ``fault:ID``: an implementation with one fault of the catalogue, to see what the suite says of it."""

from __future__ import annotations

from conformance.call import Call
from conformance.outcome import Outcome
from conformance.product import Product
from conformance.runner import RunnerInfo
from runners.faults.catalogue import choose


class FaultyRunner:
    """The simulator with the fault of that id; raises UnknownFault."""

    def __init__(self, fault: str) -> None:
        (self.fault,) = choose([fault])
        self._runner = self.fault.build()

    def describe(self) -> RunnerInfo:
        """The simulator's facts under the fault's name."""
        info = self._runner.describe()
        return RunnerInfo(f"fault:{self.fault.id}", info.version, {**info.facts, "fault": self.fault.about})

    def supports(self, api: str, product: Product) -> str | None:
        """What the simulator supports."""
        return self._runner.supports(api, product)

    def run(self, call: Call) -> Outcome:
        """Run with the fault."""
        return self._runner.run(call)
