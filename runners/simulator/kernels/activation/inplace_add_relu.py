"""Add and ReLU in place: selfRef + alpha·other, then max with 0."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.kernels.activation.add_relu import rectified_sum
from runners.simulator.operands import prepared_operands


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be broadcast or promoted, and the result where it must be cast."""
    return prepared_operands(spec, "selfRef", "other")


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself, ``other`` and ``alpha``."""
    return {"selfRef": rectified_sum(call, "selfRef")}
