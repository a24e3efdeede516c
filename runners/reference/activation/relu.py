"""ReLU: max(x, 0)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > 0 ? x : 0, of self's shape."""
    return {"out": rectified(arguments.exact("self"))}


def rectified(x: torch.Tensor) -> Answer:
    """X above 0, else 0; a NaN is neither above 0 nor up to it, so that it may stay or become 0."""
    zero = torch.zeros_like(x)
    return Answer(torch.where(x <= 0, zero, x), (torch.where(x > 0, x, zero),), selects=True)
