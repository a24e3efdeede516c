"""Softmax: exp(x − max) / Σ exp(x − max) along one axis in float32, rounded to self's dtype, then cast.

Float64 is computed in itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.softmax import lanes, softmax


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """The result in self's dtype, where ``out`` has another."""
    given = spec.inputs["self"]
    return {} if given.dtype == spec.outputs["out"].dtype else {"result": given}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``dim``; a 0-dim tensor counts as one of length 1."""
    given = call.inputs["self"]
    unit, x = lanes(call.unit, given)
    dim = call.attributes["dim"]
    assert isinstance(dim, int)
    result = unit.deliver(softmax(unit, x, dim), dtype_of(given)).reshape(given.shape)
    return {"out": round_to(call.stored("result", result), call.spec.outputs["out"].dtype)}
