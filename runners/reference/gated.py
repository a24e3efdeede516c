"""Gradient of x·σ(a·x), which is SiLU for a = 1, Swish and fast GELU otherwise."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer
from runners.reference.sigmoid import ONE_IN_FLOAT32, sigmoid, vanishes


def gated_gradient(g: torch.Tensor, x: torch.Tensor, slope: float) -> Answer:
    """g·σ(z)·(1 + z·(1 − σ(z))) with z = slope·x, of one shape.

    At ±∞ the formula multiplies infinity by 0; the limits, g and 0, will do too, and 0 wherever σ is lost in
    float32, in which operators compute; there z may also overflow.
    """
    z = slope * x
    value = _formula(g, z)
    limit = torch.where(z == torch.inf, g, torch.where(vanishes(z, rounded=True), g * 0, value))
    narrow = z.float().double()
    overflown = torch.where(narrow.isinf(), _formula(g, narrow), value)
    return Answer(value, (limit, overflown), terms=_terms(g, z), term_count=2)


def _formula(g: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return g * sigmoid(z) * (1 + z * sigmoid(-z))


def _terms(g: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    """Sizes of what is added, grown by what rounding loses of float32's steps.

    1 − σ loses up to half a step, which z multiplies until σ rounds to 1. A step of z, a product, changes exp(−z)
    by as many of its own steps as z is large: one sixteenth of z in the thirty-two steps that are allowed.
    """
    size, sigma, complement = z.abs(), sigmoid(z), sigmoid(-z)
    loss = size.clamp(max=ONE_IN_FLOAT32) * sigma
    return g.abs() * sigma * (1 + size * complement + loss) * (1 + size.clamp(max=128) * complement / 16)
