"""Fast GELU: x·σ(1.702·x)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments
from runners.reference.sigmoid import sigmoid, vanishes

_SLOPE = 1.702


def golden(arguments: Arguments) -> Answers:
    """``out`` = x·σ(1.702·x), of self's shape.

    At −∞ the formula reads −∞·0, NaN, while the limit is 0; and 0 will do wherever σ is lost in float32. The
    product 1.702·x, rounded in float32, changes σ by as many of its steps as it is large: the terms grow with it.
    """
    x = arguments.tensor("self")
    z = _SLOPE * x
    value = x * sigmoid(z)
    terms = value.abs() * (0.5 + z.clamp(max=0).abs() / 16)
    return {"out": Answer(value, (torch.where(vanishes(z), torch.zeros_like(x), value),), terms)}
