"""Swish: x / (1 + exp(-β·x)) in float32, rounded to nearest even; x / 2 for β = 0; a β that is not given is 1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.elu import scalar

_HALF = np.float32(0.5)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``betaOptional``."""
    unit = call.unit
    x = unit.widen(call.inputs["self"])
    beta = x.dtype.type(np.float32(scalar(call, "betaOptional")) if "betaOptional" in call.scalars else 1)
    lanes = unit.logistic(unit.multiply(x, beta), numerator=x) if beta else unit.multiply(x, _HALF)
    return {"out": unit.deliver(lanes, call.spec.outputs["out"].dtype)}
