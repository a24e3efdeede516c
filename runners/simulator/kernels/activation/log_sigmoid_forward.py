"""Logarithm of the sigmoid; ``buffer`` is left as it is."""

from __future__ import annotations

from runners.simulator.kernels.activation.log_sigmoid import compute

__all__ = ["compute"]
