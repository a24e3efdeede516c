"""Gradient of SwiGLU."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.halves import beside
from runners.reference.narrow import wide
from runners.reference.swish_gate import gradients


def golden(arguments: Arguments) -> Answers:
    """``out`` = g·b·σ(a)·(1 + a·(1 − σ(a))) beside g·a·σ(a) along ``dim``, a and b the halves of x; of x's shape."""
    g, dim = arguments.tensor("yGrad"), arguments.integer("dim")
    a, b = arguments.tensor("x").chunk(2, dim)
    return {"out": beside(*gradients(g, a, b), dim)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU, its gradient and products in float32, or x's own dtype."""
    g, dim = wide(arguments.native("yGrad")), arguments.integer("dim")
    a, b = wide(arguments.native("x")).chunk(2, dim)
    left = torch.ops.aten.silu_backward(g * b, a)
    return {"out": torch.cat((left, g * torch.nn.functional.silu(a)), dim)}
