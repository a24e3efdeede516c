"""Other forms of the documented formulas, and other admissible readings where documents are silent.

Each function is a kernel of one API; its intermediates are those of the simulator's kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from conformance.dtype import DTYPES
from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO, along_channels, dtype_of, round_to, widen
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.hardshrink import threshold
from runners.simulator.kernels.activation.prelu_backward import reduce
from runners.simulator.kernels.activation.selu_backward import SCALE, SCALE_ALPHA

Compute = Callable[[KernelCall], Mapping[str, Array]]
Formulas = Mapping[str, Compute]
"""API → its kernel; APIs that are absent keep the simulator's."""


def _silu(call: KernelCall) -> Mapping[str, Array]:
    """Formula x · σ(x)."""
    x = call.unit.widen(call.inputs["self"])
    return {"out": call.unit.deliver(x * call.unit.logistic(x), call.spec.outputs["out"].dtype)}


def _silu_backward(call: KernelCall) -> Mapping[str, Array]:
    """Formula dy · (σ(x) + (x · σ(x)) · σ(-x)), the complement from another exponential."""
    unit = call.unit
    dy, x = (unit.widen(call.prepared(name)) for name in ("gradOutput", "self"))
    sigmoid = unit.logistic(x)
    gradient = dy * (sigmoid + x * sigmoid * unit.logistic(-x))
    return {"gradInput": unit.deliver(gradient, call.spec.outputs["gradInput"].dtype)}


def _prelu(call: KernelCall) -> Mapping[str, Array]:
    """Formula max(x, 0) + w · min(x, 0)."""
    x, weight = (call.unit.widen(call.prepared(name)) for name in ("self", "weight"))
    total = np.maximum(x, ZERO) + along_channels(weight, x.ndim) * np.minimum(x, ZERO)
    result = call.unit.deliver(total, dtype_of(call.prepared("self")))
    return {"out": round_to(call.stored("result", result), call.spec.outputs["out"].dtype)}


OTHER_FORMS: Formulas = {
    "aclnnSilu": _silu,
    "aclnnSiluBackward": _silu_backward,
    "aclnnPrelu": _prelu,
}


def _prelu_backward_below(call: KernelCall) -> Mapping[str, Array]:
    """Branches x <= 0 and else, so that a NaN x counts as positive."""
    unit = call.unit
    x, weight = call.inputs["self"], call.inputs["weight"]
    dy = np.broadcast_to(call.inputs["gradOutput"], x.shape)
    below, lanes = x <= np.zeros((), x.dtype), unit.widen(dy)
    scaled = unit.deliver(lanes * unit.widen(along_channels(weight, x.ndim)), dtype_of(x))
    call.scratch["update"][...] = np.where(below, unit.widen(x) * lanes, ZERO)
    total = unit.deliver(reduce(call.scratch["update"], weight.size, unit), dtype_of(x))
    shape = call.spec.outputs["gradWeight"].shape
    return {"gradInput": np.where(below, scaled, dy), "gradWeight": total.reshape(shape)}


def _hardshrink_keeps(call: KernelCall) -> Mapping[str, Array]:
    """Keeps x where |x| > λ, so that a NaN x gives 0; λ rounded to x's type."""
    x = call.inputs["self"]
    limit = round_to(threshold(call), dtype_of(x))
    kept = np.where(np.abs(x) > limit, x, np.zeros((), x.dtype))
    return {"out": round_to(call.stored("result", kept), call.spec.outputs["out"].dtype)}


def _hardshrink_backward_keeps(call: KernelCall) -> Mapping[str, Array]:
    """Keeps dy where |x| > λ, so that a NaN x gives 0; λ as float32."""
    dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
    kept = np.where(np.abs(widen(x)) > threshold(call), dy, np.zeros((), dy.dtype))
    return {"gradInput": round_to(kept, call.spec.outputs["gradInput"].dtype)}


def _selu_backward_above(call: KernelCall) -> Mapping[str, Array]:
    """Branches result >= 0 and else, as documented, so that a NaN result goes with the negative ones."""
    unit, dtype = call.unit, call.spec.outputs["gradInput"].dtype
    through = DTYPES["float16"] if dtype.is_integer else dtype
    dy, y = (unit.widen(round_to(call.inputs[name], through)) for name in ("gradOutput", "result"))
    gradient = np.where(y >= ZERO, dy * SCALE, dy * (y + SCALE_ALPHA))
    return {"gradInput": round_to(unit.deliver(gradient, through), dtype)}


def _silu_at_its_limits(call: KernelCall) -> Mapping[str, Array]:
    """SiLU with the limit 0 at minus infinity."""
    unit = call.unit
    x = unit.widen(call.inputs["self"])
    values = np.where(np.isneginf(x), ZERO, unit.logistic(x, numerator=x))
    return {"out": unit.deliver(values, call.spec.outputs["out"].dtype)}


def _silu_backward_at_its_limits(call: KernelCall) -> Mapping[str, Array]:
    """SiLU backward with the limits dy at plus infinity and 0 · dy at minus infinity."""
    unit = call.unit
    dy, x = (unit.widen(call.prepared(name)) for name in ("gradOutput", "self"))
    sigmoid = unit.logistic(x)
    slope = np.where(np.isinf(x), sigmoid, sigmoid * (x * (ONE - sigmoid) + ONE))
    return {"gradInput": unit.deliver(dy * slope, call.spec.outputs["gradInput"].dtype)}


OTHER_READINGS: Formulas = {
    "aclnnPreluBackward": _prelu_backward_below,
    "aclnnHardshrink": _hardshrink_keeps,
    "aclnnHardshrinkBackward": _hardshrink_backward_keeps,
    "aclnnSeluBackward": _selu_backward_above,
    "aclnnSilu": _silu_at_its_limits,
    "aclnnSiluBackward": _silu_backward_at_its_limits,
}
