"""Sigmoid backward: dy · (1 − y) · y in float32, or in the promoted type where that is wider; rounded to nearest even.

The result is rounded to the type that the inputs promote to and cast to ``gradInput``'s.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.promoted import promoted_dtype, promoted_intermediates, promoted_result
from runners.simulator.vector_unit import VectorUnit

_WIDE = ("float64", "complex64", "complex128")


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that are broadcast or promoted, and a result that is cast."""
    return promoted_intermediates(spec)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``output``."""
    if promoted_dtype(call.spec).name not in _WIDE:
        return promoted_result(call, lambda dy, y: _gradient(call.unit, dy, y))
    dy, y = (call.prepared(name) for name in ("gradOutput", "output"))
    result = call.stored("result", dy * (1 - y.conj()) * y.conj())
    return {"gradInput": round_to(result, call.spec.outputs["gradInput"].dtype)}


def _gradient(unit: VectorUnit, dy: Array, y: Array) -> Array:
    return unit.multiply(unit.multiply(dy, ONE - y), y)
