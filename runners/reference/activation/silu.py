"""SiLU: x·σ(x)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.sigmoid import sigmoid, vanishes


def golden(arguments: Arguments) -> Answers:
    """``out`` = x·σ(x), of self's shape.

    At −∞ the formula reads −∞·0, NaN, while the limit is 0; and 0 will do wherever σ is lost in float32, in
    which the operator computes.
    """
    x = arguments.tensor("self")
    value = x * sigmoid(x)
    return {"out": Answer(value, (torch.where(vanishes(x), torch.zeros_like(x), value),))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU in self's dtype."""
    return {"out": torch.nn.functional.silu(arguments.native("self"))}
