"""PReLU backward, as two operators: an elementwise update, then its reduction to the weight's channels.

The update tensor (``self``'s shape and dtype) passes through device memory, so every term of the sum is
rounded to the tensor dtype; the sum itself is accumulated in float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import along_channels, dtype_of, multiply, round_to, widen
from runners.simulator.kernel import KernelCall, KernelSpec, Spec


def intermediates(spec: KernelSpec) -> Mapping[str, Spec]:
    """The update between the two operators."""
    return {"update": spec.inputs["self"]}


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` and ``gradWeight`` of ``gradOutput``, ``self`` and ``weight``."""
    x, weight = call.inputs["self"], call.inputs["weight"]
    dx, call.scratch["update"][...] = update(call.inputs["gradOutput"], x, weight)
    dw = reduce(call.scratch["update"], weight.size)
    return {"gradInput": dx, "gradWeight": dw.reshape(call.spec.outputs["gradWeight"].shape)}


def update(dy: Array, x: Array, weight: Array) -> tuple[Array, Array]:
    """First operator: dx = x > 0 ? dy : w · dy and the terms x > 0 ? 0 : x · dy, both of x's shape and dtype.

    ``dy`` is broadcast to ``x``; ``weight`` has one element or one a channel (axis 1).
    """
    dy = np.broadcast_to(dy, x.shape)
    zero = np.zeros((), x.dtype)
    positive = x > zero
    dx = np.where(positive, dy, multiply(dy, along_channels(weight, x.ndim)))
    return dx, np.where(positive, zero, multiply(x, dy))


def reduce(terms: Array, channels: int) -> Array:
    """Second operator: sums of the terms over every axis but axis 1 (over all axes for one channel), 1-D."""
    kept = 1 if channels > 1 else None
    axes = tuple(axis for axis in range(terms.ndim) if axis != kept)
    return round_to(np.sum(widen(terms), axis=axes, dtype=np.float32), dtype_of(terms)).reshape(-1)
