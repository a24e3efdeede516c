"""Gated linear unit: a · σ(b) of the halves of an axis, in float32, rounded to self's dtype, then cast.

Float64 is computed in itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import dtype_of, round_to
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import FLOAT32_UNIT


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``dim``."""
    given, dim = call.inputs["self"], call.attributes["dim"]
    assert isinstance(dim, int)
    wide = dtype_of(given).name == "float64"
    unit = FLOAT32_UNIT if wide else call.unit
    a, b = np.split(given if wide else unit.widen(given), 2, dim)
    result = unit.deliver(unit.multiply(a, unit.logistic(b)), dtype_of(given))
    return {"out": round_to(result, call.spec.outputs["out"].dtype)}
