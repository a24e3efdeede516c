"""Hardshrink: x where |x| > λ, else 0; compared in float32, NaN kept, a negative λ taken as 0."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import round_to, widen
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """The result in ``self``'s dtype, where ``out`` has another."""
    given, out = spec.inputs["self"], spec.outputs["out"]
    return {} if given.dtype == out.dtype else {"result": given}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``lambd``."""
    x = call.inputs["self"]
    limit = threshold(call)
    kept = np.where(np.abs(widen(x)) <= limit, np.zeros((), x.dtype), x)
    return {"out": round_to(call.stored("result", kept), call.spec.outputs["out"].dtype)}


def threshold(call: KernelCall) -> np.float32:
    """λ as float32; 0 for a negative one, NaN stays NaN (then nothing is shrunk)."""
    value = call.scalars["lambd"].value
    assert isinstance(value, int | float)
    threshold: np.float32 = np.float32(0 if value < 0 else value)
    return threshold
