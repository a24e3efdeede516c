"""SiLU: x / (1 + exp(-x)) in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, round_to, widen
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    x = widen(call.inputs["self"])
    return {"out": round_to(x / (ONE + np.exp(-x)), call.spec.outputs["out"].dtype)}
