"""Threshold in place: another value where x ≤ threshold, else (also for NaN) x."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.tensor import Array
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.threshold import replaced


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``selfRef`` of itself, ``threshold`` and ``value``."""
    return {"selfRef": replaced(call, call.inputs["selfRef"])}
