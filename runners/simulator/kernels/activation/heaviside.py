"""Heaviside step: 0 below 0 and for NaN, 1 above, the value given at 0; all in the type of ``input``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be broadcast."""
    form = Spec(spec.outputs["out"].shape, spec.inputs["input"].dtype)
    return {name: form for name, given in spec.inputs.items() if given.shape != form.shape}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``input`` and ``values``."""
    x, at_zero = call.prepared("input"), call.prepared("values")
    zero = np.zeros((), x.dtype)
    step = np.where(x > zero, np.ones((), x.dtype), zero)
    return {"out": round_to(np.where(x == zero, at_zero.astype(x.dtype), step), call.spec.inputs["input"].dtype)}
