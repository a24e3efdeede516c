"""GELU backward by tanh, written with exp: dy · (t + p · t² · r) in float32, rounded to nearest even.

p = exp(−z), t = 1 / (1 + p) and r = x · (1.5957691 + 0.2140644 · x²), z = x · (1.5957691 + 0.0713548 · x²). Where the
second term is NaN, as infinity times 0, it is left out. Mixed inputs are promoted; the result is rounded to the
promoted type and cast to ``gradInput``'s.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.promoted import promoted_intermediates, promoted_result
from runners.simulator.vector_unit import VectorUnit

_SLOPE, _CUBIC, _CUBIC_SLOPE = np.float32(1.595769121605731), np.float32(0.0713548162726), np.float32(0.2140644488178)


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that are broadcast or promoted, and a result that is cast."""
    return promoted_intermediates(spec)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``self``."""
    return promoted_result(call, lambda dy, x: by_tanh(call.unit, dy, x))


def by_tanh(unit: VectorUnit, dy: Array, x: Array) -> Array:
    """The gradient of lanes."""
    square = unit.multiply(x, x)
    p = unit.exp(unit.multiply(unit.multiply_add(square, -_CUBIC, -_SLOPE), x))
    r = unit.multiply(unit.multiply_add(square, _CUBIC_SLOPE, _SLOPE), x)
    t = unit.divide(ONE, ONE + p)
    second = unit.multiply(unit.multiply(unit.multiply(p, t), t), r)
    return unit.multiply(dy, np.where(np.isnan(second), ZERO, second) + t)
