"""The simulator as a runner: contracts refuse, kernels compute, the lifecycle keeps the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

import ml_dtypes
import numpy as np

import conformance
from conformance.call import Call
from conformance.contract import Contract
from conformance.environment import source_digest
from conformance.load import load_contracts
from conformance.outcome import Outcome, Unsupported, outcome_of
from conformance.product import Product
from conformance.runner import RunnerInfo
from conformance.tensor import SECOND_FILL_BYTE
from runners.simulator.job import first_phase
from runners.simulator.kernel_lookup import KernelLookup, find_kernel
from runners.simulator.lifecycle import Lifecycle
from runners.simulator.tiling import PLANS, Plan, PlanFunction


class SimulatorRunner:
    """Runs calls on numpy kernels behind the host checks of their contracts.

    Without arguments it uses the shipped contracts (read at the first call), the kernels found by module
    name and the operators' real tiling plans; each can be replaced, to simulate an implementation with a
    known fault.
    """

    def __init__(
        self,
        *,
        contracts: Mapping[str, Contract] | None = None,
        kernels: KernelLookup | None = None,
        plans: Mapping[str, PlanFunction] | None = None,
    ) -> None:
        self._contracts = contracts
        self._kernels = kernels or find_kernel
        self._plans = PLANS if plans is None else plans

    @property
    def contracts(self) -> Mapping[str, Contract]:
        """Contracts by API name."""
        if self._contracts is None:
            self._contracts = load_contracts()
        return self._contracts

    def describe(self) -> RunnerInfo:
        """Name, the suite's version, the digest of its sources, and the array libraries that compute."""
        facts = {"numpy": np.__version__, "ml_dtypes": ml_dtypes.__version__, **_sources()}
        return RunnerInfo("simulator", conformance.__version__, facts)

    def supports(self, api: str, product: Product) -> str | None:
        """None when there are a contract for that product and a kernel; otherwise which is missing."""
        contract = self.contracts.get(api)
        if contract is None:
            return f"no contract for {api}"
        if not contract.answers_on(product):
            return f"{api} does not list {product}"
        return None if self._kernels(contract) else f"no kernel for {api}"

    def run(self, call: Call) -> Outcome:
        """Take every step of the call; outputs are written into the call's own memory."""
        reason = self.supports(call.api, call.product)
        contract = self.contracts.get(call.api)
        kernel = self._kernels(contract) if contract else None
        if reason is not None or contract is None or kernel is None:
            return Unsupported(reason or "")
        used: list[Plan] = []
        lifecycle = Lifecycle(
            call.api,
            partial(first_phase, call, contract, kernel, self._plans, used),
            partial(call.refill_outputs, SECOND_FILL_BYTE),
        )
        results = [lifecycle.take(step) for step in call.steps]
        return outcome_of(results, lifecycle.workspace_bytes, _figures(used))


@cache
def _sources() -> dict[str, str]:
    return {"library runners/simulator": f"sha256 {source_digest(['runners/simulator'])}"}


def _figures(plans: list[Plan]) -> dict[str, float | int | str]:
    """Figures of the last tiled run for the record; none for untiled kernels."""
    if not plans:
        return {}
    last = plans[-1]
    return {"cores": len(last.cores), "tiles": last.tile_count, "double_buffer": int(last.double_buffer)}
