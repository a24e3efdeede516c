"""Swish backward: dy · σ(z) · (1 + z · (1 − σ(z))) with z = β · x in float32; a null β is 1."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dtype import DTYPES
from conformance.tensor import Array
from runners.simulator.arithmetic import round_to
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.silu_backward import gradient


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``self`` and ``betaOptional``."""
    unit = call.unit
    dy, x = (unit.widen(call.inputs[name]) for name in ("gradOutput", "self"))
    lanes = gradient(unit, dy, unit.multiply(x, _beta(call)))
    return {"gradInput": unit.deliver(lanes, call.spec.outputs["gradInput"].dtype)}


def _beta(call: KernelCall) -> Array:
    scalar = call.scalars.get("betaOptional")
    return round_to(1 if scalar is None else scalar.value, DTYPES["float32"])
