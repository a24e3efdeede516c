"""Inverse error function: the y between −∞ and ∞ with erf(y) = x."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = erfinv(x), of self's shape: ±∞ at ±1, NaN beyond."""
    return {"out": Answer(torch.erfinv(arguments.tensor("self")))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's inverse error function in self's dtype; of integers in float32."""
    return {"out": torch.erfinv(arguments.native("self"))}
