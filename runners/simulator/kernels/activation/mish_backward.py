"""Mish backward: dy · (t − x · (t² − 1) / (1 + exp(−x))) with t = tanh(log(1 + exp(x))) in float32.

Mixed inputs are promoted; the result is rounded to the promoted type and cast to ``gradInput``'s.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.promoted import promoted_intermediates, promoted_result
from runners.simulator.vector_unit import VectorUnit


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that are broadcast or promoted, and a result that is cast."""
    return promoted_intermediates(spec)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput`` and ``self``."""
    return promoted_result(call, lambda dy, x: _gradient(call.unit, dy, x))


def _gradient(unit: VectorUnit, dy: Array, x: Array) -> Array:
    t = np.tanh(unit.log(ONE + unit.exp(x)))
    falling = unit.multiply(x, unit.multiply(t, t) - ONE)
    return unit.multiply(dy, t - unit.logistic(x, numerator=falling))
