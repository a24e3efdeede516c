"""SELU in place, computed as out of place."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.selu import selu


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself."""
    return {"selfRef": selu(call.unit, call.inputs["selfRef"], call.spec.outputs["selfRef"].dtype)}
