"""Sigmoid in place: σ(x) = 1 / (1 + exp(−x))."""

from __future__ import annotations

import torch

from runners.reference.activation.sigmoid import logistic
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = σ(x)."""
    return {"selfRef": logistic(arguments, "selfRef")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's sigmoid in selfRef's dtype; none for other than floating-point types."""
    x = arguments.native("selfRef")
    return {"selfRef": torch.sigmoid(x)} if x.is_floating_point() else None
