"""SwiGLU of rows in groups, quantised by the largest magnitude of each row: an assumption, which no case relies on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.dtype import DType, largest
from conformance.tensor import Array
from runners.simulator.groups import clamped, limit_of, weighted
from runners.simulator.halves import halves_of
from runners.simulator.kernel import KernelCall
from runners.simulator.quantise import quantise


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``yOut``, ``yScaleOut`` and ``yOriginOut`` of ``x``; repeated or cut where outputs have other sizes."""
    unit, outputs = call.unit, call.spec.outputs
    a, b = clamped(*halves_of(unit.widen(call.inputs["x"])), limit_of(call))
    lanes = weighted(call, unit.multiply(unit.logistic(a, numerator=a), b))
    scale = _scale(np.max(np.abs(lanes), axis=-1, keepdims=True), outputs["yOut"].dtype, outputs["yScaleOut"].dtype)
    return {
        "yOut": np.resize(quantise(unit.divide(lanes, scale), outputs["yOut"].dtype), outputs["yOut"].shape),
        "yScaleOut": np.resize(scale, outputs["yScaleOut"].shape),
        "yOriginOut": np.resize(unit.deliver(lanes, outputs["yOriginOut"].dtype), outputs["yOriginOut"].shape),
    }


def _scale(height: Array, quantised: DType, held_in: DType) -> Array:
    """What rows are divided by; a power of two for scales that hold nothing else."""
    scale: Array = np.maximum(height / np.float32(largest(quantised)), np.float32(2.0**-126))
    return scale if held_in.name == "float32" else np.exp2(np.ceil(np.log2(scale))).astype(np.float32)
