"""The gated linear unit, a·σ(b), and its gradients, with what the type that is computed in loses of σ and 1 − σ."""

from __future__ import annotations

from collections.abc import Callable

import torch

from conformance.dtype import DTYPES, DType, smallest_normal, smallest_subnormal
from runners.reference.arguments import Answer
from runners.reference.narrow import narrowed
from runners.reference.sigmoid import sigmoid

_ROUNDINGS = 32
"""Roundings of each term that the bound on elementwise functions grants."""
_LOSS = 0.25
"""How much of g·a·σ the difference 1 − σ may lose, in those roundings: σ is off by six or so, and 1 is no smaller."""
_LOST = 4
"""Roundings below which 1 − σ may be 0: a σ that is a little off is 1 then."""


def gate(a: torch.Tensor, b: torch.Tensor, dtype: DType) -> Answer:
    """a·σ(b) of tensors of ``dtype``; 0·a will do where σ is lost, and a few digits of it where σ is subnormal.

    The scale is half the result, since eight ULP are sixteen roundings.
    """
    arithmetic = _arithmetic(dtype)
    share = sigmoid(b)
    value = a * share
    lost = torch.where(share < smallest_normal(arithmetic), a * 0, value)
    return Answer(value, (lost,), terms=value.abs() / 2 + a.abs() * _step(arithmetic))


def gradients(g: torch.Tensor, a: torch.Tensor, b: torch.Tensor, dim: int, dtype: DType) -> Answer:
    """g·σ(b) beside g·a·σ(b)·(1 − σ(b)) along ``dim``, of tensors of ``dtype``.

    0 will do for a σ or 1 − σ that is lost. No document says in which order the four factors are multiplied:
    infinity, or 0, will do where some order passes it.
    """
    arithmetic = _arithmetic(dtype)
    share, rest = sigmoid(b), sigmoid(-b)
    value = torch.cat([g * share, g * (share * rest) * a], dim)
    kept = torch.where(share < smallest_normal(arithmetic), share * 0, share)
    left = torch.where(rest < _LOST * arithmetic.unit, rest * 0, rest)
    step = narrowed if arithmetic.name == "float32" else torch.positive
    others = [
        torch.cat([g * one, product], dim)
        for one, other in ((share, rest), (kept, left))
        for product in _in_every_order(g, a, one, other, step)
    ]
    size, tiny = (g * share).abs(), _step(arithmetic)
    second = size * a.abs() * (rest + _LOSS) + (g.abs() + 1) * a.abs() * tiny
    return Answer(value, tuple(others), terms=torch.cat([size + g.abs() * tiny, second], dim))


def _arithmetic(dtype: DType) -> DType:
    """Type that tensors of ``dtype`` are computed in."""
    return DTYPES["float64" if dtype.name == "float64" else "float32"]


def _step(arithmetic: DType) -> float:
    """What a factor may lose for being subnormal, in the roundings that are granted."""
    return smallest_subnormal(arithmetic) / (_ROUNDINGS * arithmetic.unit)


def _in_every_order(
    g: torch.Tensor,
    a: torch.Tensor,
    share: torch.Tensor,
    rest: torch.Tensor,
    step: Callable[[torch.Tensor], torch.Tensor],
) -> list[torch.Tensor]:
    """The product g·a·share·rest by way of g·a, of g·share and of share·rest, ``step`` applied in between."""
    return [
        step(step(g * a) * share) * rest,
        step(step(g * share) * a) * rest,
        step(g * a) * step(share * rest),
        step(g * step(share * rest)) * a,
    ]
