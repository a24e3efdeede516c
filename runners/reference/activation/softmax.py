"""Softmax along one axis."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.narrow import wide
from runners.reference.softmax import Rows, softmax


def golden(arguments: Arguments) -> Answers:
    """``out`` = exp(x − max) / Σ exp(x − max) along ``dim``, of self's shape."""
    answer: Answer = softmax(Rows(arguments.tensor("self"), arguments.integer("dim")))
    return {"out": answer}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's softmax in self's dtype; of 16 bits in float32, since its CPU kernel rounds in between."""
    return {"out": torch.softmax(wide(arguments.native("self")), arguments.integer("dim"))}
