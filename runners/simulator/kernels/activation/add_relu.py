"""Add and ReLU: x + alpha·other in float32, or in the integer type that both promote to, then max with 0.

Integer sums wrap around; those of uint8 pass as they are. NaN stays. The result is cast to the type of the output.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ZERO, round_to
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.operands import prepared_operands, promoted


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """Inputs that must be broadcast or promoted, and the result where it must be cast."""
    return prepared_operands(spec, "self", "other")


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self``, ``other`` and ``alpha``."""
    return {"out": rectified_sum(call, "self")}


def rectified_sum(call: KernelCall, name: str) -> Array:
    """The sum of the tensor ``name`` and alpha times ``other``, not below 0, in the output's type."""
    x, other = call.prepared(name), call.prepared("other")
    dtype, (output,) = promoted(call.spec, name, "other"), call.spec.outputs.values()
    alpha = call.scalars["alpha"].value
    assert isinstance(alpha, int | float)
    if dtype.is_float:
        unit = call.unit
        total = unit.multiply_add(unit.widen(other), np.float32(alpha), unit.widen(x))
        result = unit.deliver(np.where(total <= ZERO, ZERO, total), dtype)
    else:
        result = _integers(x, other, round_to(np.int64(alpha), dtype))
    return round_to(call.stored("result", result), output.dtype)


def _integers(x: Array, other: Array, alpha: Array) -> Array:
    total: Array = x + alpha * other
    return total if total.dtype == np.uint8 else np.maximum(total, np.zeros((), total.dtype))
