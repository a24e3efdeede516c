"""Logarithm of the sigmoid: min(0, x) - ln(1 + exp(-|x|)) in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    unit = call.unit
    x = unit.widen(call.inputs["self"])
    return {"out": unit.deliver(np.minimum(x, ZERO) - unit.log1p(unit.exp(-np.abs(x))), call.spec.outputs["out"].dtype)}
