"""Logarithm of the sigmoid; ``buffer`` has no part in it."""

from __future__ import annotations

from runners.reference.activation.log_sigmoid import benchmark, golden

__all__ = ["benchmark", "golden"]
