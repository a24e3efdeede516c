"""GeGLU backward with either half activated, in float32."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.gelu_gate import gated_gradient
from runners.simulator.halves import integer
from runners.simulator.kernel import KernelCall


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``gradInput`` of ``gradOutput``, ``self`` and ``gelu``."""
    return gated_gradient(call, left=bool(integer(call, "activateLeft")))
