"""Inverse error function in place."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.erfinv import inverse


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself."""
    return {"selfRef": inverse(call.unit, call.inputs["selfRef"], call.spec.outputs["selfRef"].dtype)}
