"""GELU of one half of a tensor times the other half, and its gradient, in float32 lanes."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.halves import half_like, halves_of, integer, whole_of, written
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.gelu import by_tanh
from runners.simulator.kernels.activation.gelu_backward import by_tanh as slope_by_tanh
from runners.simulator.kernels.activation.gelu_backward_v2 import by_erf as slope_by_erf
from runners.simulator.kernels.activation.gelu_v2 import by_erf

_TANH = 1


def gated(call: KernelCall, left: bool) -> Mapping[str, Array]:
    """``out`` and ``outGelu`` of ``self``, ``dim`` and ``approximate``."""
    halves = halves_of(call.unit.widen(call.inputs["self"]), integer(call, "dim"))
    activated, other = halves if left else halves[::-1]
    gelu = (by_tanh if call.attributes["approximate"] == _TANH else by_erf)(call, activated)
    return {"out": written(call, "out", call.unit.multiply(gelu, other)), "outGelu": written(call, "outGelu", gelu)}


def gated_gradient(call: KernelCall, left: bool) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``self``, ``gelu``, ``dim`` and ``approximate``."""
    unit = call.unit
    halves = halves_of(unit.widen(call.inputs["self"]), integer(call, "dim"))
    activated, other = halves if left else halves[::-1]
    dy, gelu = (half_like(unit.widen(call.inputs[name]), activated) for name in ("gradOutput", "gelu"))
    slope = slope_by_tanh if call.attributes["approximate"] == _TANH else slope_by_erf
    slanted, straight = slope(unit, unit.multiply(dy, other), activated), unit.multiply(dy, gelu)
    whole = whole_of(slanted, straight) if left else whole_of(straight, slanted)
    return {"gradInput": written(call, "gradInput", whole)}
