"""Soft shrink: x − λ above λ, x + λ below −λ, else (also for NaN) 0; λ rounded to x's type."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.casts import cast_result, uncast_result
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.shrink import moved

intermediates = uncast_result


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` of ``self`` and ``lambd``."""
    return cast_result(call, moved(call, limit="lambd", shift="lambd"))
