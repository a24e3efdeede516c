"""What a kernel is and what it is given.

A kernel module has ``compute(call)`` and, where it needs device memory beside its inputs and outputs,
``intermediates(spec)``. Nothing else in the simulator knows an API by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod

from msgspec import Struct

from conformance.call import AttributeValue, Scalar
from conformance.dtype import DType
from conformance.product import Product
from conformance.tensor import Array, Shape
from runners.simulator.tiling import Plan, PlanFunction
from runners.simulator.vector_unit import FLOAT32_UNIT, VectorUnit


class Spec(Struct, frozen=True):
    """Shape and dtype of a dense tensor."""

    shape: Shape
    dtype: DType

    @property
    def nbytes(self) -> int:
        """Bytes of the elements."""
        return prod(self.shape) * self.dtype.itemsize


class KernelSpec(Struct, frozen=True):
    """What is known in phase 1: specs of inputs and outputs by parameter name, and the product."""

    product: Product
    inputs: Mapping[str, Spec]
    outputs: Mapping[str, Spec]


@dataclass(frozen=True, slots=True, eq=False)
class KernelCall:
    """What a kernel gets in phase 2.

    ``inputs`` are dense and read-only; a null optional input is absent. ``scratch`` holds the
    intermediates in the workspace. ``output_memory`` gives a dense array with what the output's memory
    held before, for kernels that write element ranges; others return fresh arrays. ``used_plans``
    collects the plans asked for; ``unit`` is the arithmetic.
    """

    spec: KernelSpec
    inputs: Mapping[str, Array]
    scalars: Mapping[str, Scalar]
    attributes: Mapping[str, AttributeValue]
    scratch: Mapping[str, Array]
    output_memory: Callable[[str], Array]
    plans: Mapping[str, PlanFunction]
    used_plans: list[Plan] = field(default_factory=list)
    unit: VectorUnit = FLOAT32_UNIT

    @property
    def product(self) -> Product:
        """Product the call runs as."""
        return self.spec.product

    def prepared(self, name: str) -> Array:
        """Input ``name``; broadcast and cast into the intermediate of the same name, where there is one."""
        return self.stored(name, self.inputs[name])

    def stored(self, name: str, values: Array) -> Array:
        """``values`` by way of the intermediate ``name``, in its shape and dtype, where there is one."""
        if name not in self.scratch:
            return values
        region = self.scratch[name]
        region[...] = values
        return region

    def plan(self, operator: str, elements: int, dtype: DType) -> Plan:
        """Tiling plan of an operator for ``elements`` elements of ``dtype`` on the call's product."""
        plan = self.plans[operator](elements, dtype, self.product)
        self.used_plans.append(plan)
        return plan


def no_intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Nothing: for kernels that live in on-chip memory."""
    return {}


@dataclass(frozen=True, slots=True)
class Kernel:
    """Output name → dense array of exactly the output's shape and dtype; and the memory it needs.

    An output that is left out is not written.
    """

    compute: Callable[[KernelCall], Mapping[str, Array]]
    intermediates: Callable[[KernelSpec], Mapping[str, Spec]] = no_intermediates
