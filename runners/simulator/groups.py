"""Rows in groups: how many there are to compute, their weights, and halves within a limit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import Float32
from runners.simulator.halves import number
from runners.simulator.kernel import KernelCall

NO_CLAMP = np.float32(-1)


def rows_counted(inputs: Mapping[str, Array], rows: int) -> int:
    """Rows that the groups count together, at most all; all without groups."""
    if "groupIndexOptional" not in inputs:
        return rows
    return max(0, min(int(inputs["groupIndexOptional"].sum()), rows))


def weighted(call: KernelCall, lanes: Array) -> Array:
    """Each row times its weight, where there are weights."""
    if "weightOptional" not in call.inputs:
        return lanes
    weights = call.unit.widen(call.inputs["weightOptional"]).reshape(-1)[: len(lanes)]
    return call.unit.multiply(lanes, weights[:, None])


def limit_of(call: KernelCall) -> Float32 | None:
    """The limit of the halves; None where it is -1."""
    limit = number(call, "clampLimit")
    return None if limit == NO_CLAMP else limit


def clamped(a: Array, b: Array, limit: Float32 | None) -> tuple[Array, Array]:
    """The first half up to the limit, the second between it and its negative."""
    return (a, b) if limit is None else (np.minimum(a, limit), np.clip(b, -limit, limit))
