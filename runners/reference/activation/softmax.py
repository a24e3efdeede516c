"""Softmax along one axis."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.softmax import Rows, softmax


def golden(arguments: Arguments) -> Answers:
    """``out`` = exp(x − max) / Σ exp(x − max) along ``dim``, of self's shape."""
    answer: Answer = softmax(Rows(arguments.tensor("self"), arguments.integer("dim")))
    return {"out": answer}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's softmax in self's dtype; of 16 bits in float32, since its CPU kernels round in between."""
    x = arguments.native("self")
    wide = torch.promote_types(x.dtype, torch.float32)
    return {"out": torch.softmax(x.to(wide), arguments.integer("dim")).to(x.dtype)}
