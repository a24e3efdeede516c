"""ReLU in place: max(x, 0) in the type of x; NaN stays."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.relu import rectified


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself."""
    return {"selfRef": rectified(call.inputs["selfRef"])}
