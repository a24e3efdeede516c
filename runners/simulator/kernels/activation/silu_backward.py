"""SiLU backward: dy · σ · (1 + x · (1 − σ)) in float32, in the vector unit's own steps.

On the DAV_2201 cores the operator runs through its tiling plan; elsewhere as one vector. Broadcast and mixed
dtypes (float32 result) occur only where host checks let them through.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, dtype_of, round_to, widen
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.pipeline import execute

OPERATOR = "SiluGrad"
TILED_ARCH = "DAV_2201"


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs broadcast to the output's shape, where they have another."""
    shape = spec.outputs["gradInput"].shape
    return {name: Spec(shape, given.dtype) for name, given in spec.inputs.items() if given.shape != shape}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``self``."""
    dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
    out = call.spec.outputs["gradInput"]
    if call.product.arch != TILED_ARCH:
        return {"gradInput": round_to(gradient(widen(dy), widen(x)), out.dtype)}
    result = call.output_memory("gradInput")
    plan = call.plan(OPERATOR, x.size, dtype_of(x))
    execute(plan, (dy.reshape(-1), x.reshape(-1)), result.reshape(-1), lambda *lanes: _tile(call, *lanes))
    return {"gradInput": result}


def gradient(dy: Array, x: Array) -> Array:
    """The gradient of float32 lanes, step by step."""
    t = np.exp(-x)
    sigmoid = ONE / (t + ONE)
    t = x * (ONE - sigmoid)
    t = sigmoid * (t + ONE)
    gradient: Array = dy * t
    return gradient


def _tile(call: KernelCall, dy: Array, x: Array) -> Array:
    return round_to(gradient(widen(dy), widen(x)), call.spec.outputs["gradInput"].dtype)
