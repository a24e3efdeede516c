"""SELU: λ·x above 0, else λ·α·(exp(x) − 1), with λ = 1.0507… and α = 1.6732…."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.exponential import linear_unit

_ALPHA = 1.6732632423543772848170429916717
_SCALE = 1.0507009873554804934193349852946


def golden(arguments: Arguments) -> Answers:
    """``out`` = λ·max(0, x) + λ·min(0, α·(exp(x) − 1)), of self's shape."""
    return {"out": selu(arguments.tensor("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SELU in self's dtype; none for integers."""
    x = arguments.native("self")
    return {"out": torch.nn.functional.selu(x)} if x.is_floating_point() else None


def selu(x: torch.Tensor) -> Answer:
    """SELU of x; the exponential of a positive x, which may overflow, is not part of the result."""
    return linear_unit(x, _SCALE * x, torch.clamp(x, max=0), _SCALE * _ALPHA)
