"""Hard swish: max(x, −3) · (x + 3 cut to 0…6) / 6 in float32, rounded to nearest even."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO, dtype_of
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall

_THREE, _SIX = np.float32(3), np.float32(6)


intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``."""
    return cast_result(call, hard_swish(call, call.inputs["self"]))


def hard_swish(call: KernelCall, values: Array) -> Array:
    """The function of ``values``, in their type; 0 up to −3, minus infinity included."""
    unit = call.unit
    x = unit.widen(values)
    cut = np.minimum(np.maximum(x + _THREE, ZERO), _SIX)
    return unit.deliver(unit.divide(unit.multiply(np.maximum(x, -_THREE), cut), _SIX), dtype_of(values))
