"""GELU: x·Φ(x) by erf, or its approximation by tanh."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu import by_erf, by_tanh

_TANH = 1


def golden(arguments: Arguments) -> Answers:
    """``y`` of x, of its shape; by tanh where ``approximate`` is 1."""
    formula = by_tanh if arguments.integer("approximate") == _TANH else by_erf
    return {"y": formula(arguments.tensor("x"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's GELU in x's dtype."""
    word = "tanh" if arguments.integer("approximate") == _TANH else "none"
    return {"y": torch.nn.functional.gelu(arguments.native("x"), approximate=word)}
