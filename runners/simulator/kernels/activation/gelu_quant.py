"""GELU, scaled and quantised: everything in float32, one cast at the end.

Static: gelu · scale + offset. Dynamic: a row is divided by its largest magnitude over the largest number of y's type.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from conformance.dtype import largest
from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO, erf
from runners.simulator.kernel import KernelCall
from runners.simulator.quantise import quantise
from runners.simulator.vector_unit import VectorUnit

_HALF = np.float32(0.5)
_ROOT_HALF = np.float32(math.sqrt(0.5))
_CUBE, _DOUBLE_ROOT = np.float32(0.044715), np.float32(2 * math.sqrt(2 / math.pi))
_INT8_LARGEST = np.float32(127)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``y``, and in the dynamic mode ``outScaleOptional``, of ``self`` and the optional scale and offset."""
    unit = call.unit
    lanes = _gelu(unit, unit.widen(call.inputs["self"]), str(call.attributes["approximate"]))
    if "inputScaleOptional" in call.inputs:
        lanes = unit.multiply(lanes, unit.widen(call.inputs["inputScaleOptional"]))
    target = call.spec.outputs["y"].dtype
    if str(call.attributes["quantMode"]).startswith("static"):
        if "inputOffsetOptional" in call.inputs:
            lanes = lanes + unit.widen(call.inputs["inputOffsetOptional"])
        return {"y": quantise(lanes, target)}
    top = _INT8_LARGEST if target.is_integer else np.float32(largest(target))
    scale = unit.divide(np.max(np.abs(lanes), axis=-1, keepdims=True), top)
    out_scale = unit.deliver(scale[..., 0], call.spec.outputs["outScaleOptional"].dtype)
    return {"y": quantise(unit.divide(lanes, scale), target), "outScaleOptional": out_scale}


def _gelu(unit: VectorUnit, x: Array, approximate: str) -> Array:
    if approximate == "tanh":
        inner = unit.multiply(_DOUBLE_ROOT, unit.multiply_add(_CUBE, unit.multiply(x, unit.multiply(x, x)), x))
        return unit.divide(x, ONE + unit.exp(-inner))
    share = unit.multiply(_HALF, ONE + erf(unit.multiply(x, _ROOT_HALF)))
    return np.where(x == -np.inf, ZERO, unit.multiply(x, share))
