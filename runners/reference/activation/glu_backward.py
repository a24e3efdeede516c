"""Gradient of the gated linear unit."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gated_linear import gradients
from runners.reference.narrow import wide


def golden(arguments: Arguments) -> Answers:
    """``out`` = g·σ(b) beside g·a·σ(b)·(1 − σ(b)) along ``dim``, a and b the halves of self; of self's shape."""
    dim = arguments.integer("dim")
    a, b = arguments.tensor("self").chunk(2, dim)
    return {"out": gradients(arguments.tensor("gradOut"), a, b, dim, arguments.dtype("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's gradient in self's dtype; of 16 bits in float32, since its CPU kernel computes 1 − σ in 16 bits."""
    g, x = wide(arguments.native("gradOut")), wide(arguments.native("self"))
    return {"out": torch.ops.aten.glu_backward(g, x, arguments.integer("dim"))}
