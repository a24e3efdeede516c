"""SELU in place: λ·x above 0, else λ·α·(exp(x) − 1)."""

from __future__ import annotations

import torch

from runners.reference.activation.selu import selu
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = λ·max(0, x) + λ·min(0, α·(exp(x) − 1))."""
    return {"selfRef": selu(arguments.tensor("selfRef"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SELU in selfRef's dtype; none for integers."""
    x = arguments.native("selfRef")
    return {"selfRef": torch.nn.functional.selu(x)} if x.is_floating_point() else None
