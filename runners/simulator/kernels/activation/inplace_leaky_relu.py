"""Leaky ReLU in place: x > 0 ? x : x · slope."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.leaky_relu import leaky


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself and ``negativeSlope``."""
    return {"selfRef": leaky(call, call.inputs["selfRef"])}
