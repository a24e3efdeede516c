"""A prepared call: what phase 1 plans and phase 2 does.

Plan: strided inputs get a dense copy in the workspace, strided outputs a dense result there, the kernel its
intermediates. Run: gather, compute, and only then write the outputs, so that an output may share memory with
an input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from conformance.call import Argument, Attribute, Call, Scalar
from conformance.contract import Contract
from conformance.product import Product
from conformance.signature import Parameter, Role
from conformance.status import CODES
from conformance.tensor import Array, Memory, Tensor
from runners.simulator.host_checks import Refusal, check
from runners.simulator.kernel import Kernel, KernelCall, KernelSpec, Spec
from runners.simulator.messages import kernel_failed
from runners.simulator.tiling import Plan, PlanFunction
from runners.simulator.view_copy import dense, gather, scatter
from runners.simulator.workspace import Workspace, plan_workspace

COPY, RESULT = "contiguous:", "result:"
"""Prefixes of workspace regions for dense copies of strided inputs and outputs; intermediates have none."""
Arguments = Mapping[str, Argument]
_NO_MEMORY = Memory(0)


@dataclass(frozen=True, slots=True)
class NoWork:
    """Job of a call that exits early as empty: no workspace, nothing read or written."""

    workspace_bytes: int = 0

    def run(self) -> Refusal | None:
        """Nothing."""
        return None


@dataclass(frozen=True, slots=True, eq=False)
class KernelJob:
    """Job of one kernel over the arguments of a phase 1; a run appends its tiling plans to ``used_plans``."""

    call: Call
    arguments: Arguments
    kernel: Kernel
    workspace: Workspace
    plans: Mapping[str, PlanFunction]
    used_plans: list[Plan]

    @property
    def workspace_bytes(self) -> int:
        """Bytes of all workspace regions."""
        return self.workspace.size

    def run(self) -> Refusal | None:
        """Compute and write every output; 561000 with the exception's text when the kernel raises."""
        try:
            with np.errstate(all="ignore"):
                self._compute_and_write(self._regions())
        except Exception as error:
            return Refusal(CODES["INNER"], kernel_failed(self.call.api, error))
        return None

    def _regions(self) -> Mapping[str, Array]:
        if not self.workspace.size:
            return self.workspace.bind(_NO_MEMORY)
        return self.workspace.bind(self.call.allocate(self.workspace.size))

    def _compute_and_write(self, regions: Mapping[str, Array]) -> None:
        outputs = dict(tensors(self.call.parameters, self.arguments, written=True))
        results = self.kernel.compute(self._kernel_call(outputs, regions))
        for name, values in results.items():
            scatter(_through(regions.get(RESULT + name), values), outputs[name])

    def _kernel_call(self, outputs: Mapping[str, Tensor], regions: Mapping[str, Array]) -> KernelCall:
        def output_memory(name: str) -> Array:
            region = regions.get(RESULT + name)
            return outputs[name].array() if region is None else region

        return KernelCall(
            spec=spec_of(self.call.parameters, self.arguments, self.call.product),
            inputs={
                name: gather(tensor, regions[COPY + name]) if COPY + name in regions else dense(tensor)
                for name, tensor in tensors(self.call.parameters, self.arguments, written=False)
            },
            scalars={name: given for name, given in self.arguments.items() if isinstance(given, Scalar)},
            attributes={name: given.value for name, given in self.arguments.items() if isinstance(given, Attribute)},
            scratch={name: region for name, region in regions.items() if not name.startswith((COPY, RESULT))},
            output_memory=output_memory,
            plans=self.plans,
            used_plans=self.used_plans,
        )


def first_phase(
    call: Call,
    contract: Contract,
    kernel: Kernel,
    plans: Mapping[str, PlanFunction],
    used_plans: list[Plan],
    nulls: frozenset[str] = frozenset(),
) -> KernelJob | NoWork | Refusal:
    """Phase 1 of a call that passes null for ``nulls``: the first refusal, an early exit, or a job."""
    arguments: Arguments = {**call.arguments, **dict.fromkeys(nulls)}
    refusal = check(contract, arguments, call.product)
    if refusal is not None:
        return refusal
    if contract.exits_empty(arguments, call.product):
        return NoWork()
    return prepare(call, arguments, kernel, plans, used_plans)


def prepare(
    call: Call,
    arguments: Arguments,
    kernel: Kernel,
    plans: Mapping[str, PlanFunction],
    used_plans: list[Plan],
) -> KernelJob:
    """Job for a legal, non-empty call with its workspace laid out."""
    needed: dict[str, Spec] = {}
    for prefix, written in ((COPY, False), (RESULT, True)):
        for name, tensor in tensors(call.parameters, arguments, written=written):
            if not tensor.is_contiguous:
                needed[prefix + name] = _spec(tensor)
    needed.update(kernel.intermediates(spec_of(call.parameters, arguments, call.product)))
    return KernelJob(call, arguments, kernel, plan_workspace(needed), plans, used_plans)


def spec_of(parameters: tuple[Parameter, ...], arguments: Arguments, product: Product) -> KernelSpec:
    """Shapes and dtypes of a call's tensors."""
    inputs = {name: _spec(tensor) for name, tensor in tensors(parameters, arguments, written=False)}
    outputs = {name: _spec(tensor) for name, tensor in tensors(parameters, arguments, written=True)}
    return KernelSpec(product, inputs, outputs)


def tensors(parameters: tuple[Parameter, ...], arguments: Arguments, *, written: bool) -> Iterator[tuple[str, Tensor]]:
    """Named tensors that are written, or that are read (inout: both). List members are ``name.0``, …."""
    for parameter in parameters:
        if parameter.role is (Role.INPUT if written else Role.OUTPUT):
            continue
        argument = arguments.get(parameter.name)
        if isinstance(argument, Tensor):
            yield parameter.name, argument
        elif isinstance(argument, tuple):
            yield from ((f"{parameter.name}.{i}", tensor) for i, tensor in enumerate(argument) if tensor is not None)


def _spec(tensor: Tensor) -> Spec:
    return Spec(tensor.shape, tensor.dtype)


def _through(region: Array | None, values: Array) -> Array:
    """``values`` by way of their workspace region, which keeps shape and dtype for ViewCopy to check."""
    if region is None or region is values or region.shape != values.shape or region.dtype != values.dtype:
        return values
    region[...] = values
    return region
