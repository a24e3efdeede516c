"""Logarithm of softmax: self is cast to out's dtype first; then x − max − log Σ exp(x − max), in float32.

Float64 is computed in itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.arithmetic import round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.softmax import lanes, log_softmax


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """The ``self`` of out's dtype, where it has another."""
    result = spec.outputs["out"]
    return {} if spec.inputs["self"].dtype == result.dtype else {"self": result}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``dim``; a 0-dim tensor counts as one of length 1."""
    dtype = call.spec.outputs["out"].dtype
    given = call.stored("self", round_to(call.inputs["self"], dtype))
    unit, x = lanes(call.unit, given)
    dim = call.attributes["dim"]
    assert isinstance(dim, int)
    return {"out": unit.deliver(log_softmax(unit, x, dim), dtype).reshape(given.shape)}
