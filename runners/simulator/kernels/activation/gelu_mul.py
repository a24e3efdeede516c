"""GELU of the first half of the last dimension times the second half, in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.halves import halves_of, written
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.gelu import by_tanh
from runners.simulator.kernels.activation.gelu_v2 import by_erf


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``input``; a null ``approximateOptional`` stands for the form by erf."""
    a, b = halves_of(call.unit.widen(call.inputs["input"]))
    gelu = (by_tanh if call.attributes.get("approximateOptional") == "tanh" else by_erf)(call, a)
    return {"out": written(call, "out", call.unit.multiply(gelu, b))}
