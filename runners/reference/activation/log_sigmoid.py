"""Logarithm of the sigmoid: ln(1 / (1 + exp(−x)))."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = ln σ(x), of self's shape."""
    x = arguments.tensor("self")
    return {"out": Answer(torch.where(x < 0, x - torch.log1p(torch.exp(x)), -torch.log1p(torch.exp(-x))))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's log-sigmoid in self's dtype."""
    return {"out": torch.nn.functional.logsigmoid(arguments.native("self"))}
