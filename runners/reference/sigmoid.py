"""The logistic function, and where float32 loses it when it computes 1 / (1 + exp(−x)) as written."""

from __future__ import annotations

import math

import torch

from conformance.dtype import DTYPES, smallest_normal

_FLOAT32_NORMAL = smallest_normal(DTYPES["float32"])
ONE_IN_FLOAT32 = 25 * math.log(2)
"""From here on σ(x) rounds to 1 in float32: 1 − σ(x) is below half a step."""


def sigmoid(x: torch.Tensor) -> torch.Tensor:
    """σ(x) = 1 / (1 + exp(−x)) in x's dtype; σ(−x) is 1 − σ(x) without cancellation."""
    return 1 / (1 + torch.exp(-x))


def vanishes(x: torch.Tensor, *, rounded: bool = False) -> torch.Tensor:
    """Where σ(x) is below float32's normal numbers, x < −87.3.

    There exp(−x) nears the largest float32 (it overflows at −88.7) and 1 / (1 + exp(−x)) may be flushed or
    is exactly 0, though x·σ(x) itself, 2e-37 at −89, would be a normal number. ``rounded``: x is computed in
    float32 and up to four of its steps off.
    """
    return sigmoid(x * (1 + 2.0**-21) if rounded else x) < _FLOAT32_NORMAL
