"""The two forms of GELU. Both are written as x/2·(1 + t), where 1 and t cancel for negative x."""

from __future__ import annotations

import math

import torch

from runners.reference.arguments import Answer
from runners.reference.sigmoid import sigmoid


def by_erf(x: torch.Tensor) -> Answer:
    """x/2·(1 + erf(x/√2)), which is x/2·erfc(−x/√2)."""
    return _half(x, torch.special.erfc(-x / math.sqrt(2)))


def by_tanh(x: torch.Tensor) -> Answer:
    """x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))); 1 + tanh(z) is 2·σ(2z)."""
    return _half(x, 2 * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _half(x: torch.Tensor, factor: torch.Tensor) -> Answer:
    """x/2 · factor, the factor being 1 + t; at −∞ it reads −∞·0, NaN, while the limit is 0."""
    value = x / 2 * factor
    limit = torch.where(x == -torch.inf, torch.zeros_like(x), value)
    return Answer(value, (limit,), terms=x.abs() / 2 * (1 + (factor - 1).abs()), term_count=2)
