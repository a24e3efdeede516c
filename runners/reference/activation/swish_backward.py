"""Gradient of Swish, x·σ(β·x)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gated import gated_gradient


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·σ(z)·(1 + z·(1 − σ(z))) with z = β·x, of self's shape; a null β is 1."""
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    return {"gradInput": gated_gradient(g, x, _beta(arguments))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU gradient in the tensors' dtype; none where β is not 1."""
    if _beta(arguments) != 1:
        return None
    g, x = arguments.native("gradOutput"), arguments.native("self")
    return {"gradInput": torch.ops.aten.silu_backward(g, x)}


def _beta(arguments: Arguments) -> float:
    return 1.0 if arguments.is_null("betaOptional") else arguments.number("betaOptional")
