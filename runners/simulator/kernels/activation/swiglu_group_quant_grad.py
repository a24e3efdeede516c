"""Gradient of SwiGLU of rows in groups, in float32: g·b·σ·(1 + a·(1 − σ)) and g·a·σ, 0 where a half was clamped.

Rows after those that the groups count are not written. The gradient of the weights is the row's sum of g · yOrigin.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO
from runners.simulator.groups import clamped, limit_of, rows_counted, weighted
from runners.simulator.halves import half_like, halves_of, whole_of, written
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradXOut``, and ``gradWeightOutOptional`` where it is given."""
    unit = call.unit
    halves = halves_of(unit.widen(call.inputs["x"]))
    rows = rows_counted(call.inputs, len(halves[0]))
    g = half_like(unit.widen(call.inputs["gradY"]), halves[0])
    results = {"gradXOut": written(call, "gradXOut", _of_x(call, g[:rows], halves[0][:rows], halves[1][:rows]))}
    if "gradWeightOutOptional" in call.spec.outputs:
        origin = half_like(unit.widen(call.inputs["yOriginOptional"]), g) if "yOriginOptional" in call.inputs else g
        sums = unit.sum_of_products(g[:rows], origin[:rows], -1)
        results["gradWeightOutOptional"] = written(call, "gradWeightOutOptional", sums)
    return results


def _of_x(call: KernelCall, g: Array, a: Array, b: Array) -> Array:
    unit, limit = call.unit, limit_of(call)
    gate, up = clamped(a, b, limit)
    share = unit.logistic(gate)
    slope = unit.multiply(share, unit.multiply_add(gate, ONE - share, ONE))
    left = unit.multiply(unit.multiply(g, up), slope)
    right = unit.multiply(g, unit.multiply(gate, share))
    if limit is not None:
        left, right = np.where(a > limit, ZERO, left), np.where(np.abs(b) > limit, ZERO, right)
    return weighted(call, whole_of(left, right))
