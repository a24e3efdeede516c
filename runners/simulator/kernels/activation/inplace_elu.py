"""ELU in place: scale·x above 0, else α·scale·(exp(inputScale·x) − 1)."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.elu import elu


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself and the scalars."""
    return {"selfRef": elu(call, call.inputs["selfRef"])}
