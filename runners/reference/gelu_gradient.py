"""Gradients of the two forms of GELU.

Both are written with (1 + t)/2, where 1 and t cancel for negative x; here they are taken from erfc and σ, which do not.
"""

from __future__ import annotations

import math

import torch

from runners.reference.arguments import Answer
from runners.reference.narrow import drowned, narrowed
from runners.reference.sigmoid import ONE_IN_FLOAT32, sigmoid

_SLOPE, _CUBIC = 2 * math.sqrt(2 / math.pi), 0.044715
_TANH_MAY_BE_1 = 24 * math.log(2)
"""From here on tanh(z/2) may round to 1 in float32: it is within a step of it."""


def by_erf(g: torch.Tensor, x: torch.Tensor) -> Answer:
    """g·(Φ(x) + x·φ(x)), of the broadcast shape; at ±∞ it reads infinity times 0, NaN, while the limits are g and 0.

    For very negative x float32 may lose Φ as 1 − 1 and φ as too small: 0, which shows beside an infinite g.
    """
    rising, density = torch.special.erfc(-x / math.sqrt(2)) / 2, torch.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    value = g * (rising + x * density)
    # A step of x²/2 changes its exponential by as many steps as it is large.
    slope = x.abs() * density * (1 + (x * x).clamp(max=512) / 16)
    terms = g.abs() * ((1 + (2 * rising - 1).abs()) / 2 + slope)
    lost = g * (drowned(rising) + x * narrowed(density))
    return Answer(value, (_limit(g, x, value), lost), terms=terms, term_count=2)


def by_tanh(g: torch.Tensor, x: torch.Tensor) -> Answer:
    """g·((1 + t)/2 + x·(1 − t²)/2·√(2/π)·(1 + 3·0.044715·x²)) with t = tanh(√(2/π)·(x + 0.044715·x³)).

    (1 + t)/2 is σ(z) with z twice what tanh is taken of, and (1 − t²)/2 is 2·σ(z)·σ(−z). Besides the limits at ±∞,
    0 will do where 1 + t or σ is lost in float32, and where x³ overflows it what the formula gives at ±∞.
    """
    z, inner = _SLOPE * (x + _CUBIC * x**3), _SLOPE * x * (1 + 3 * _CUBIC * x * x)
    sigma, complement = sigmoid(z), sigmoid(-z)
    value = g * (sigma + inner * sigma * complement)
    limit = _limit(g, x, torch.where(z < -_TANH_MAY_BE_1, g * 0, value))
    overflown = torch.where((x**3).float().isinf(), g * torch.nan, value)
    # 1 − t² loses up to two steps of 1 until t rounds to ±1; a step of z changes exp(z) by as many as z is large.
    loss = torch.where(z.abs() < ONE_IN_FLOAT32, 1 / 16, 0.0)
    slope = inner.abs() * (sigma * complement * (1 + z.abs().clamp(max=128) / 8) + loss)
    terms = g.abs() * ((1 + (2 * sigma - 1).abs()) / 2 + slope)
    return Answer(value, (limit, overflown), terms=terms, term_count=2)


def _limit(g: torch.Tensor, x: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    return torch.where(x == torch.inf, g, torch.where(x == -torch.inf, g * 0, value))
