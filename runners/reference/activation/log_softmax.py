"""Logarithm of softmax along one axis."""

from __future__ import annotations

from dataclasses import replace

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.convert import TORCH
from runners.reference.narrow import wide
from runners.reference.softmax import Rows, log_softmax


def golden(arguments: Arguments) -> Answers:
    """``out`` = x − max − log Σ exp(x − max) along ``dim``, of self's shape.

    The document does not say in which type it is computed when out has another one; x rounded to out's will do.
    """
    x, dim = arguments.tensor("self"), arguments.integer("dim")
    answer = log_softmax(Rows(x, dim))
    dtype = arguments.dtype("out")
    if dtype == arguments.dtype("self"):
        return {"out": answer}
    cast = log_softmax(Rows(x.to(TORCH[dtype.name]).to(torch.float64), dim))
    return {"out": replace(answer, alternatives=(*answer.alternatives, cast.value))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's logarithm of softmax in self's dtype; of 16 bits in float32, since its CPU kernel rounds in between."""
    return {"out": torch.log_softmax(wide(arguments.native("self")), arguments.integer("dim"))}
