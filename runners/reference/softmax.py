"""Softmax along one axis from differences to the largest element, and how far float arithmetic may be off it."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from runners.reference.arguments import Answer


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of logits along ``dim``; a tensor of rank 0 is a row of one element.

    ``below`` is x − max, ``powers`` exp(x − max), ``total`` their sum with the axis kept.
    """

    x: torch.Tensor
    dim: int

    @property
    def below(self) -> torch.Tensor:
        """Differences x − max, 0 at the largest element; NaN where the largest is infinite and so is the element."""
        return self.x - self.x.amax(self.dim, keepdim=True)

    @property
    def total(self) -> torch.Tensor:
        """Σ exp(x − max) with the axis kept: 1 to the length of the row."""
        return self.below.exp().sum(self.dim, keepdim=True)

    @property
    def length(self) -> int:
        """Elements of a row."""
        return self.x.shape[self.dim] if self.x.ndim else 1

    @property
    def reaches_infinity(self) -> torch.Tensor:
        """Rows that hold +∞ and no NaN, with the axis kept."""
        return self.x.amax(self.dim, keepdim=True) == torch.inf


def softmax(rows: Rows) -> Answer:
    """Softmax, exp(x − max) / Σ exp(x − max).

    In a row with +∞ the differences are NaN. exp(x) / Σ exp(x) as it stands gives 0 to its finite elements instead.
    The scale counts numerator and denominator, and the half step that x − max may be off, which exp turns into as
    much of the result for every 1 of the difference.
    """
    value = rows.below.exp() / rows.total
    literal = _beside_infinity(rows, value, 0.0)
    terms = value * (2 + rows.below.abs() / _ROUNDINGS)
    return Answer(value, (literal,), terms=terms, term_count=rows.length)


def log_softmax(rows: Rows) -> Answer:
    """Logarithm of softmax, x − max − log Σ exp(x − max).

    In a row with +∞ the differences are NaN; the logarithm of exp(x) / Σ exp(x) as it stands is −∞ at finite elements.
    """
    value = rows.below - rows.total.log()
    literal = _beside_infinity(rows, value, -torch.inf)
    return Answer(value, (literal,), terms=1 + value.abs(), term_count=rows.length)


_ROUNDINGS = 8
"""Roundings of every term that the standard for fused sums grants."""


def _beside_infinity(rows: Rows, value: torch.Tensor, limit: float) -> torch.Tensor:
    """``value`` with ``limit`` for elements below an infinite one."""
    open_ = rows.reaches_infinity & (rows.x < torch.inf)
    return torch.where(open_, torch.full_like(value, limit), value)
