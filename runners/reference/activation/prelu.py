"""PReLU: max(0, x) + w·min(0, x)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.channels import per_channel


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > 0 ? x : w·x, of self's shape; w has one element or one a channel.

    The documented sum differs where a positive x meets an infinite or NaN weight (∞·0 is NaN), so both count.
    At x = 0 with such a weight both forms give NaN.
    """
    x = arguments.tensor("self")
    weight = per_channel(arguments.tensor("weight"), arguments.shape("self"))
    as_sum = x.clamp(min=0) + weight * x.clamp(max=0)
    return {"out": Answer(torch.where(x > 0, x, weight * x), (as_sum,))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's PReLU in the promoted dtype of self and weight."""
    x, weight = arguments.native("self"), arguments.native("weight")
    dtype = torch.promote_types(x.dtype, weight.dtype)
    spread = per_channel(weight.to(dtype), arguments.shape("self"))
    return {"out": torch.ops.aten._prelu_kernel(x.to(dtype), spread)}
