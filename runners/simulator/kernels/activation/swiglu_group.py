"""SwiGLU of rows in groups: a / (1 + exp(-a)) · b of clamped halves, times the row's weight, in float32.

Rows after those that the groups count are not written.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.groups import clamped, limit_of, rows_counted, weighted
from runners.simulator.halves import halves_of, written
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``x``, the optional weights and groups, and ``clampLimit``."""
    unit = call.unit
    halves = halves_of(unit.widen(call.inputs["x"]))
    rows = rows_counted(call.inputs, len(halves[0]))
    a, b = clamped(halves[0][:rows], halves[1][:rows], limit_of(call))
    return {"out": written(call, "out", weighted(call, unit.multiply(unit.logistic(a, numerator=a), b)))}
