"""Clipped SwiGLU backward in float32, each element rounded once."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.clipped_gate import backward, kept_rows
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradXOut`` of ``gradY``, ``x`` and ``groupIndexOptional``."""
    return {"gradXOut": kept_rows(call, "gradXOut", backward(call))}
