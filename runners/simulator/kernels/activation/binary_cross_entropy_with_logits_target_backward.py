"""Gradient of binary cross entropy with respect to the target, composed of operators in float32, rounded once.

Two logarithms of sigmoid are subtracted, then multiplied by the gradient, the weight and, for the mean, one over
the number of elements.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import VectorUnit

_MEAN = 1


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradTarget`` of ``gradOutput``, ``self``, the weights that are passed, and ``reduction``."""
    unit, result = call.unit, call.spec.outputs["gradTarget"]
    lanes = {name: unit.widen(values) for name, values in call.inputs.items()}
    x = lanes["self"]
    above = _log_sigmoid(unit, x)
    if "posWeightOptional" in lanes:
        above = unit.multiply(above, lanes["posWeightOptional"])
    gradient = unit.multiply(_log_sigmoid(unit, -x) - above, lanes["gradOutput"])
    if "weightOptional" in lanes:
        gradient = unit.multiply(gradient, lanes["weightOptional"])
    if call.attributes["reduction"] == _MEAN:
        gradient = unit.multiply(gradient, np.float32(1 / x.size))
    return {"gradTarget": unit.deliver(gradient, result.dtype)}


def _log_sigmoid(unit: VectorUnit, x: Array) -> Array:
    """Logarithm of σ(x): min(0, x) − log1p(exp(−|x|))."""
    difference: Array = np.minimum(ZERO, x) - unit.log1p(unit.exp(-np.abs(x)))
    return difference
