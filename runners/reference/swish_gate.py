"""SwiGLU, σ(αa)·a·b, and its gradients, with what float32 loses of the logistic function."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer
from runners.reference.narrow import narrowed, products
from runners.reference.sigmoid import ONE_IN_FLOAT32, sigmoid, vanishes

_STEPS = 1 / 16
"""Steps of float32 by which α·a may be off, ÷ 32, which the bound on elementwise functions multiplies terms by."""


def gate(a: torch.Tensor, b: torch.Tensor, alpha: float = 1.0, bias: float = 0.0) -> Answer:
    """a·σ(α·a)·(b + bias); where float32 loses σ, 0·(b + bias) will do, also at an infinite a."""
    z, up = alpha * a, b + bias
    share = sigmoid(z)
    value = a * share * up
    lost = torch.where(vanishes(z), up * 0, value)
    terms = (a * share).abs() * (b.abs() + abs(bias)) * (1 + z.abs() * sigmoid(-z) * _STEPS)
    return Answer(value, (lost, narrowed(a * share) * up, narrowed(a * up) * share), terms=terms)


def gradients(
    g: torch.Tensor, a: torch.Tensor, b: torch.Tensor, alpha: float = 1.0, bias: float = 0.0
) -> tuple[Answer, Answer]:
    """Gradients of ``gate`` with respect to a and b: g·(b + bias)·σ·(1 + z·(1 − σ)) and g·a·σ, z being α·a.

    0 will do for σ wherever float32 loses it and for 1 − σ where σ rounds to 1 in it; there the limit at ±∞ too.
    Factors may be multiplied in any order, and z may overflow in float32.
    """
    z, up = alpha * a, b + bias
    share, rest = sigmoid(z), sigmoid(-z)
    slope = share * (1 + z * rest)
    near = 1 + z.abs() * rest * _STEPS
    # In float32 1 − σ is off by u however small it is, which z multiplies until σ rounds to 1.
    off = z.abs().clamp(max=ONE_IN_FLOAT32) * _STEPS
    size = share * (1 + z.abs() * rest + off) * near
    zero, lost = torch.zeros_like(z), vanishes(z)
    limit = torch.where(lost, zero, torch.where(z > ONE_IN_FLOAT32, torch.ones_like(z), slope))
    terms = g.abs() * (b.abs() + abs(bias)) * size
    far = narrowed(z)
    overflown = torch.where(far.isinf(), sigmoid(far) * (1 + far * sigmoid(-far)), slope)
    grad_a = Answer(g * up * slope, (*products(g, up, limit), g * up * overflown), terms=terms)
    kept = torch.where(lost, zero, share)
    others = (*products(g, a, kept), g * torch.where(lost, zero, a * share))
    return grad_a, Answer(g * a * share, others, terms=(g * a).abs() * share * near)
