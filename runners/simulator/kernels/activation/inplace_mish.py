"""Mish in place: x·t in float32 with t from exp(-|x|)."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.mish import mish


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself."""
    return {"selfRef": mish(call, call.inputs["selfRef"])}
