"""Gated linear unit: the first half of an axis times the sigmoid of the second."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gated_linear import gate


def golden(arguments: Arguments) -> Answers:
    """``out`` = a·σ(b) with a and b the halves of self along ``dim``."""
    a, b = arguments.tensor("self").chunk(2, arguments.integer("dim"))
    return {"out": gate(a, b, arguments.dtype("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's gated linear unit in self's dtype."""
    return {"out": torch.nn.functional.glu(arguments.native("self"), arguments.integer("dim"))}
