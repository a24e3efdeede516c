"""Comparisons of a tensor with a number, exact also for integers, which torch would compare in float32."""

from __future__ import annotations

import math

import torch


def above(x: torch.Tensor, limit: float) -> torch.Tensor:
    """Where x > limit."""
    if x.is_floating_point():
        return x > limit
    bounds = torch.iinfo(x.dtype)
    if math.isnan(limit) or limit >= bounds.max:
        return torch.zeros_like(x, dtype=torch.bool)
    if limit < bounds.min:
        return torch.ones_like(x, dtype=torch.bool)
    return x > math.floor(limit)


def up_to(x: torch.Tensor, limit: float) -> torch.Tensor:
    """Where x <= limit."""
    if x.is_floating_point():
        return x <= limit
    return torch.zeros_like(x, dtype=torch.bool) if math.isnan(limit) else ~above(x, limit)
