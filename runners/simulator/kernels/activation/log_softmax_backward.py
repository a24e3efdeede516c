"""Log-softmax backward: g − exp(y) · Σ g along one axis in float32, rounded to the inputs' dtype, then cast."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """The result in the inputs' dtype, where ``out`` has another."""
    given = spec.inputs["gradOutput"]
    return {} if given.dtype == spec.outputs["out"].dtype else {"result": given}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``gradOutput``, ``output`` and ``dim``; a 0-dim tensor counts as one of length 1."""
    given, unit = call.inputs["gradOutput"], call.unit
    g, y = (np.atleast_1d(unit.widen(call.inputs[name])) for name in ("gradOutput", "output"))
    dim = call.attributes["dim"]
    assert isinstance(dim, int)
    lanes = g - unit.multiply(unit.exp(y), unit.sum(g, dim))
    result = unit.deliver(lanes, dtype_of(given)).reshape(given.shape)
    return {"out": round_to(call.stored("result", result), call.spec.outputs["out"].dtype)}
