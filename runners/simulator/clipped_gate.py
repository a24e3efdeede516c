"""Clipped SwiGLU in float32 lanes: rows up to the sum of the groups, halves or every second element, cut to a limit."""

from __future__ import annotations

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO
from runners.simulator.halves import half_like, halves_of, integer, number, whole_of
from runners.simulator.kernel import KernelCall


def forward(call: KernelCall) -> Array:
    """Rows of ``y``."""
    unit = call.unit
    a, b = _halves(call)
    a, b = _cut(call, a, b)
    share = unit.logistic(unit.multiply(a, number(call, "alpha")))
    return unit.multiply(unit.multiply(a, share), b + number(call, "bias"))


def backward(call: KernelCall) -> Array:
    """Rows of the gradient of x."""
    unit, limit = call.unit, number(call, "limit")
    given = _halves(call)
    dy = half_like(unit.widen(call.inputs["gradY"]), given[0])
    a, b = _cut(call, *given)
    z = unit.multiply(a, number(call, "alpha"))
    share = unit.logistic(z)
    slope = unit.multiply(share, unit.multiply_add(z, ONE - share, ONE))
    left = unit.multiply(unit.multiply(dy, b + number(call, "bias")), slope)
    right = unit.multiply(dy, unit.multiply(a, share))
    left = np.where(given[0] <= limit, left, ZERO)
    right = np.where(np.abs(given[1]) <= limit, right, ZERO)
    return whole_of(left, right, bool(integer(call, "interleaved")))


def kept_rows(call: KernelCall, name: str, rows: Array) -> Array:
    """The output with the first rows written, as many as the groups have; the others stay as they were."""
    spec = call.spec.outputs[name]
    result = call.unit.deliver(rows, spec.dtype)
    if "groupIndexOptional" not in call.inputs:
        count = len(rows)
    else:
        count = min(max(int(call.inputs["groupIndexOptional"].sum()), 0), len(rows))
    memory = call.output_memory(name)
    flat = result[:count].reshape(-1)[: memory.size]
    memory.reshape(-1)[: flat.size] = flat
    return memory


def _halves(call: KernelCall) -> tuple[Array, Array]:
    x = call.unit.widen(call.inputs["x"])
    return halves_of(x, integer(call, "dim"), bool(integer(call, "interleaved")))


def _cut(call: KernelCall, a: Array, b: Array) -> tuple[Array, Array]:
    limit = number(call, "limit")
    return np.minimum(a, limit), np.maximum(np.minimum(b, limit), -limit)
