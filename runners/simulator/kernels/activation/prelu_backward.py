"""PReLU backward, as two operators: an elementwise update, then its reduction to the weight's channels.

The update tensor (``self``'s shape and dtype) passes through device memory, so every term of the sum is
rounded to the tensor dtype; the sum itself is accumulated in float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import along_channels, dtype_of
from runners.simulator.kernel import KernelCall, KernelSpec, Spec
from runners.simulator.vector_unit import FLOAT32_UNIT, VectorUnit


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """The update between the two operators."""
    return {"update": spec.inputs["self"]}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` and ``gradWeight`` of ``gradOutput``, ``self`` and ``weight``."""
    x, weight = call.inputs["self"], call.inputs["weight"]
    dx, call.scratch["update"][...] = update(call.inputs["gradOutput"], x, weight, call.unit)
    dw = call.unit.deliver(reduce(call.scratch["update"], weight.size, call.unit), dtype_of(x))
    return {"gradInput": dx, "gradWeight": dw.reshape(call.spec.outputs["gradWeight"].shape)}


def update(dy: Array, x: Array, weight: Array, unit: VectorUnit = FLOAT32_UNIT) -> tuple[Array, Array]:
    """First operator: dx = x > 0 ? dy : w · dy in x's dtype and the lanes of the terms x > 0 ? 0 : x · dy.

    ``dy`` is broadcast to ``x``; ``weight`` has one element or one a channel (axis 1).
    """
    dy = np.broadcast_to(dy, x.shape)
    zero = np.zeros((), x.dtype)
    positive = x > zero
    lanes = unit.widen(dy)
    scaled = unit.deliver(unit.multiply(lanes, unit.widen(along_channels(weight, x.ndim))), dtype_of(x))
    terms = unit.multiply(unit.widen(x), lanes)
    return np.where(positive, dy, scaled), np.where(positive, np.zeros((), terms.dtype), terms)


def reduce(terms: Array, channels: int, unit: VectorUnit = FLOAT32_UNIT) -> Array:
    """Second operator: sums of the terms over every axis but axis 1 (over all axes for one channel), 1-D lanes."""
    kept = 1 if channels > 1 else None
    axes = tuple(axis for axis in range(terms.ndim) if axis != kept)
    return unit.sum(unit.widen(terms), axes).reshape(-1)
