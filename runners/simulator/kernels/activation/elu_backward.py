"""ELU backward: dy·scale above 0 and for NaN, else dy·inputScale times the slope of the power or of the result.

Computed in float32, rounded to nearest even in the type of dy, then cast to that of ``gradInput``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO, dtype_of, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """The result in ``gradOutput``'s dtype, where ``gradInput`` has another."""
    given, out = spec.inputs["gradOutput"], spec.outputs["gradInput"]
    return {} if given.dtype == out.dtype else {"result": given}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``selfOrResult`` and the scalars."""
    unit, given = call.unit, call.inputs["gradOutput"]
    dy, x = unit.widen(given), unit.widen(call.inputs["selfOrResult"])
    alpha, scale, inner = (_scalar(call, name) for name in ("alpha", "scale", "inputScale"))
    full = np.multiply(alpha, scale, dtype=np.float32)
    if call.attributes["isResult"]:
        slope = unit.multiply(x + full, inner)
    else:
        slope = unit.multiply(unit.exp(unit.multiply(x, inner)), inner * full)
    lanes = np.where(x <= ZERO, unit.multiply(dy, slope), unit.multiply(dy, scale))
    result = call.stored("result", unit.deliver(lanes, dtype_of(given)))
    return {"gradInput": round_to(result, call.spec.outputs["gradInput"].dtype)}


def _scalar(call: KernelCall, name: str) -> Array:
    value = call.scalars[name].value
    assert isinstance(value, int | float)
    scalar: Array = np.asarray(value, np.float32)
    return scalar
