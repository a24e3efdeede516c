"""Squared ReLU: max(x, 0)²."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = max(x, 0)², of input's shape; a NaN may stay or count as not above 0."""
    x = arguments.tensor("input")
    value = x.clamp(min=0) ** 2
    return {"out": Answer(value, (torch.where(x > 0, value, torch.zeros_like(x)),))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's ReLU, squared in input's dtype."""
    return {"out": torch.relu(arguments.native("input")) ** 2}
