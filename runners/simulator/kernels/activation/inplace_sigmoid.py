"""Sigmoid in place: 1 / (1 + exp(-x)) in float32, or in the type of x where that is wider."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.sigmoid import logistic


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself."""
    return {"selfRef": logistic(call, call.inputs["selfRef"], call.spec.outputs["selfRef"].dtype)}
