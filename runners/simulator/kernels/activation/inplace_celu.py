"""CELU in place: max(x, 0) + min(α·(exp(x/α) − 1), 0) in float32."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.celu import celu


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself and ``alpha``."""
    return {"selfRef": celu(call, call.inputs["selfRef"])}
