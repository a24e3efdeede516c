"""Randomised leaky ReLU in place: as with an output of its own."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.r_relu_with_noise import rectified


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``self`` and ``noise`` of themselves."""
    return rectified(call, "self")
