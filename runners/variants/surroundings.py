"""What may differ around the numbers: bits that mean nothing, tiles and cores, workspace, message texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from msgspec import structs

from conformance.call import Call
from conformance.dtype import DTYPES, DType
from conformance.outcome import Completed, Outcome, Rejected
from conformance.product import Product
from conformance.rounding import float_format
from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of
from runners.simulator.kernel import Kernel, KernelCall, KernelSpec, Spec
from runners.simulator.runner import SimulatorRunner
from runners.simulator.tiling import CoreRange, Plan, PlanFunction

EXTRA_WORKSPACE = 1 << 16
"""Bytes that the larger workspace has beyond what the simulator needs."""


def with_other_nans(results: Mapping[str, Array]) -> Mapping[str, Array]:
    """Every NaN with all fraction bits and the sign set."""
    return {name: _with_nan(values) for name, values in results.items()}


def _with_nan(values: Array) -> Array:
    dtype = dtype_of(values)
    if not dtype.is_float:
        return values
    bits = float_format(dtype).bits
    return np.where(np.isnan(values), bits.type(2**dtype.bits - 1), values.view(bits)).view(values.dtype)


def with_other_zeros(results: Mapping[str, Array]) -> Mapping[str, Array]:
    """Every zero of a float output with the other sign."""
    return {name: np.where(v == 0, -v, v) if dtype_of(v).is_float else v for name, v in results.items()}


def with_larger_workspace(kernel: Kernel) -> Kernel:
    """The kernel asking for intermediates that it fills but does not need."""

    def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
        return {**kernel.intermediates(spec), "unneeded": Spec((EXTRA_WORKSPACE,), DTYPES["uint8"])}

    def compute(call: KernelCall) -> Mapping[str, Array]:
        call.scratch["unneeded"][...] = 0xEE
        scratch = {name: region for name, region in call.scratch.items() if name != "unneeded"}
        return kernel.compute(replace(call, scratch=scratch))

    return Kernel(compute, intermediates)


def in_reverse(plan_of: PlanFunction) -> PlanFunction:
    """Plans whose tiles run from the last to the first, one a core."""

    def plan(elements: int, dtype: DType, product: Product) -> Plan:
        given = plan_of(elements, dtype, product)
        tiles = [CoreRange(tile.start, tile.count) for core in given.cores for tile in given.tiles(core)]
        return replace(given, cores=tuple(reversed(tiles)))

    return plan


def on_cores(plan_of: PlanFunction, count: int | None) -> PlanFunction:
    """Plans with so many cores; one for each vector step for None."""

    def plan(elements: int, dtype: DType, product: Product) -> Plan:
        given = plan_of(elements, dtype, product)
        share = -(-elements // count) if count else given.lane_step
        starts = range(0, elements, max(share, 1))
        return replace(given, cores=tuple(CoreRange(start, min(share, elements - start)) for start in starts))

    return plan


class OtherMessages(SimulatorRunner):
    """The simulator with messages of another wording and language."""

    def run(self, call: Call) -> Outcome:
        """The simulator's outcome, every message replaced."""
        outcome = super().run(call)
        if not isinstance(outcome, Completed | Rejected):
            return outcome
        results = tuple(structs.replace(r, message="参数校验失败") if r.message else r for r in outcome.results)
        if isinstance(outcome, Rejected):
            return structs.replace(outcome, message="参数校验失败", results=results)
        return structs.replace(outcome, results=results)
