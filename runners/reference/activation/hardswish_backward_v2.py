"""Gradient of hard swish, second edition: the slanted branch is that between -3 and 3, both limits excluded."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.hardswish import slanted


def golden(arguments: Arguments) -> Answers:
    """``out`` = g·(x/3 + 1/2) between -3 and 3, both limits excluded, g above, 0 below."""
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    return {"out": slanted(g, x, (x > -3) & (x < 3))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's hard swish gradient in self's dtype, but at ±3, which releases of torch assign to either branch."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    return {"out": torch.where(x.abs() == 3, g * (x / 6 + 0.5), torch.ops.aten.hardswish_backward(g, x))}
