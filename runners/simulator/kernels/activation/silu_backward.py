"""SiLU backward: dy · σ · (1 + x · (1 − σ)) in float32, in the vector unit's own steps.

On the DAV_2201 cores the operator runs through its tiling plan; elsewhere as one vector. Broadcast and mixed
dtypes (float32 result) occur only where host checks let them through.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, dtype_of
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.pipeline import execute
from runners.simulator.vector_unit import VectorUnit

OPERATOR = "SiluGrad"
TILED_ARCH = "DAV_2201"


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs broadcast to the output's shape, where they have another."""
    shape = spec.outputs["gradInput"].shape
    return {name: Spec(shape, given.dtype) for name, given in spec.inputs.items() if given.shape != shape}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``self``."""
    dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
    if call.product.arch != TILED_ARCH:
        return {"gradInput": _lanes(call, dy, x)}
    result = call.output_memory("gradInput")
    plan = call.plan(OPERATOR, x.size, dtype_of(x))
    execute(plan, (dy.reshape(-1), x.reshape(-1)), result.reshape(-1), lambda *lanes: _lanes(call, *lanes))
    return {"gradInput": result}


def gradient(unit: VectorUnit, dy: Array, x: Array) -> Array:
    """The gradient of lanes, step by step."""
    sigmoid = unit.logistic(x)
    t = unit.multiply_add(x, ONE - sigmoid, ONE)
    return unit.multiply(dy, unit.multiply(sigmoid, t))


def _lanes(call: KernelCall, dy: Array, x: Array) -> Array:
    unit = call.unit
    return unit.deliver(gradient(unit, unit.widen(dy), unit.widen(x)), call.spec.outputs["gradInput"].dtype)
