"""Mish in place: x·tanh(ln(1 + exp(x)))."""

from __future__ import annotations

import torch

from runners.reference.activation.mish import mish
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = x·tanh(ln(1 + exp(x)))."""
    return {"selfRef": mish(arguments.tensor("selfRef"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's Mish in selfRef's dtype."""
    return {"selfRef": torch.nn.functional.mish(arguments.native("selfRef"))}
