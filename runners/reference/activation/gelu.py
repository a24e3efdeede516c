"""GELU by tanh: x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu import by_tanh


def golden(arguments: Arguments) -> Answers:
    """``out`` of self, of its shape."""
    return {"out": by_tanh(arguments.tensor("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's GELU by tanh in self's dtype."""
    return {"out": torch.nn.functional.gelu(arguments.native("self"), approximate="tanh")}
