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
    """Torch's softmax in self's dtype."""
    return {"out": torch.softmax(arguments.native("self"), arguments.integer("dim"))}
