"""Heaviside step: 0 below 0, 1 above, values at 0."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.pairs import broadcast


def golden(arguments: Arguments) -> Answers:
    """``out`` of input's and values' broadcast shape; the document leaves NaN out, so that it may be 0 or stay."""
    x, at_zero = broadcast(arguments.tensor("input"), arguments.tensor("values"))
    step = torch.where(x == 0, at_zero, (x > 0).to(x.dtype))
    return {"out": Answer(step, (torch.where(x.isnan(), x, step),), selects=True)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's Heaviside step, for inputs of one type."""
    x, at_zero = arguments.native("input"), arguments.native("values")
    return {"out": torch.heaviside(x, at_zero)} if x.dtype == at_zero.dtype else None
