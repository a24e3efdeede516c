"""Gradients of PReLU with respect to its input and its weight."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.channels import per_channel, sum_per_channel


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = x > 0 ? g : w·g of self's shape; ``gradWeight`` = Σ (x > 0 ? 0 : x·g) of the weight's.

    g broadcasts to self. The document's branches are x > 0 and x <= 0. Of a NaN x it says nothing, so
    gradInput may be either branch or NaN, and the sum may carry the NaN or leave the element out.
    """
    x, weight = arguments.tensor("self"), arguments.tensor("weight")
    g = arguments.tensor("gradOutput").broadcast_to(x.shape)
    scaled = per_channel(weight, arguments.shape("self")) * g
    nan_free = torch.where(x <= 0, scaled, g)
    grad_input = Answer(torch.where(x > 0, g, scaled), (nan_free, torch.where(x.isnan(), x, nan_free)))
    return {"gradInput": grad_input, "gradWeight": _grad_weight(x, g, arguments)}


def _grad_weight(x: torch.Tensor, g: torch.Tensor, arguments: Arguments) -> Answer:
    shape = arguments.shape("gradWeight")
    product, zero = x * g, torch.zeros_like(x)
    terms = torch.where(x > 0, zero, product)
    left_out = torch.where(x <= 0, product, zero)
    total = sum_per_channel(terms, shape)
    return Answer(
        total,
        (sum_per_channel(left_out, shape),),
        terms=sum_per_channel(left_out.abs(), shape),
        term_count=x.numel() // total.numel(),
    )


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's PReLU gradient and sum in the tensors' dtype."""
    x, weight = arguments.native("self"), arguments.native("weight")
    g = arguments.native("gradOutput").broadcast_to(x.shape).contiguous()
    spread = per_channel(weight, arguments.shape("self"))
    grad_input, terms = torch.ops.aten._prelu_kernel_backward(g, x, spread)
    return {"gradInput": grad_input, "gradWeight": sum_per_channel(terms, arguments.shape("gradWeight"))}
