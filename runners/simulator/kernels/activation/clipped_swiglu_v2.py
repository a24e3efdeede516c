"""Clipped SwiGLU, second version: whatever the mode, as the first version."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.clipped_gate import forward, kept_rows
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``x`` and ``groupIndexOptional``."""
    return {"out": kept_rows(call, "out", forward(call))}
