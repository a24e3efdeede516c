"""PReLU: x > 0 ? x : x · w in the promoted dtype of both, one slope or one a channel (axis 1)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import along_channels, common_dtype, dtype_of, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs cast to the promoted dtype, and the result before its cast, where dtypes differ."""
    dtype = common_dtype(spec.inputs["self"].dtype, spec.inputs["weight"].dtype)
    casts = {name: Spec(given.shape, dtype) for name, given in spec.inputs.items() if given.dtype != dtype}
    out = spec.outputs["out"]
    return casts if out.dtype == dtype else {**casts, "result": Spec(out.shape, dtype)}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``weight``."""
    x, weight = (call.prepared(name) for name in ("self", "weight"))
    unit = call.unit
    scaled = unit.multiply(unit.widen(x), unit.widen(along_channels(weight, x.ndim)))
    result = np.where(x > np.zeros((), x.dtype), x, unit.deliver(scaled, dtype_of(x)))
    return {"out": round_to(call.stored("result", result), call.spec.outputs["out"].dtype)}
