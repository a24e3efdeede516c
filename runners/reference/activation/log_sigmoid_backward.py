"""Gradient of log σ(x)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.sigmoid import sigmoid, vanishes


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·σ(−x), of self's shape; 0 will do where σ is lost in float32. ``buffer`` has no part in it."""
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    value = g * sigmoid(-x)
    return {"gradInput": Answer(value, (torch.where(vanishes(-x), g * 0, value),))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's gradient in float32, rounded to self's dtype: torch keeps the buffer in it, which costs digits."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    _, buffer = torch.ops.aten.log_sigmoid_forward(x.float())
    return {"gradInput": torch.ops.aten.log_sigmoid_backward(g.float(), x.float(), buffer).to(x.dtype)}
