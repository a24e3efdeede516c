"""Inverse error function in place."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = erfinv(x): ±∞ at ±1, NaN beyond."""
    return {"selfRef": Answer(torch.erfinv(arguments.tensor("selfRef")))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's inverse error function in selfRef's dtype."""
    return {"selfRef": torch.erfinv(arguments.native("selfRef"))}
