"""Soft shrink: x − λ above λ, x + λ below −λ, else 0."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.threshold import moved


def golden(arguments: Arguments) -> Answers:
    """``out`` of self, of its shape."""
    limit = arguments.number("lambd")
    return {"out": moved(arguments.tensor("self"), limit, limit, arguments.dtype("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's soft shrink in self's dtype; none for a λ that the dtype cannot hold."""
    x, limit = arguments.native("self"), arguments.number("lambd")
    if not 0 <= limit <= torch.finfo(x.dtype).max:
        return None
    return {"out": torch.nn.functional.softshrink(x, limit)}
