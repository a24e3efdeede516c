"""Hard swish in place: max(x, −3) · (x + 3 cut to 0…6) / 6 in float32."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.hardswish import hard_swish


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``self`` of itself."""
    return {"self": hard_swish(call, call.inputs["self"])}
