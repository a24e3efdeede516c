"""Hardshrink backward: dy where |x| > λ, else 0.

float16 and float32 compare natively with λ cast to that dtype; bfloat16 is compared in float32 and cast back
to nearest even. Mixed inputs are promoted, the result is cast to ``gradInput``'s dtype. On DAV_3510 the
operator runs through its tiling plan on whole aligned tiles; elsewhere as one vector.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DTYPES, DType
from conformance.tensor import Array
from runners.simulator.arithmetic import common_dtype, round_to, widen
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.kernels.activation.hardshrink import threshold
from runners.simulator.pipeline import execute

OPERATOR = "HardShrinkGrad"
TILED_ARCH = "DAV_3510"


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be broadcast or promoted, and the result where it must be cast."""
    out = spec.outputs["gradInput"]
    form = Spec(out.shape, _computed(spec))
    needed = {name: form for name, given in spec.inputs.items() if given != form}
    return needed if out.dtype == form.dtype else {**needed, "result": form}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``self`` and ``lambd``."""
    dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
    dtype = _computed(call.spec)
    limit = round_to(threshold(call), DTYPES["float32"] if dtype.name == "bfloat16" else dtype)
    if call.product.arch != TILED_ARCH:
        result = select(dy, x, limit)
    else:
        result = call.scratch["result"] if "result" in call.scratch else call.output_memory("gradInput")
        plan = call.plan(OPERATOR, x.size, dtype)
        flat = (dy.reshape(-1), x.reshape(-1))
        execute(plan, flat, result.reshape(-1), lambda dy, x: select(dy, x, limit))
    return {"gradInput": round_to(result, call.spec.outputs["gradInput"].dtype)}


def select(dy: Array, x: Array, limit: Array) -> Array:
    """Lanes of dy or 0, in dy's dtype; ``limit`` has the dtype that is compared in."""
    compared = x if x.dtype == limit.dtype else widen(x)
    lanes: Array = np.where(np.abs(compared) <= limit, np.zeros((), dy.dtype), dy)
    return lanes


def _computed(spec: KernelSpec) -> DType:
    return common_dtype(spec.inputs["gradOutput"].dtype, spec.inputs["self"].dtype)
