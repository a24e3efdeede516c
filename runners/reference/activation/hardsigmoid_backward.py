"""Gradient of hard sigmoid: a sixth of the gradient between its limits."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark

_LAST_BELOW_3 = 3 - 2.0**-22


def golden(arguments: Arguments) -> Answers:
    """``out`` = g/6 where 0 < x/6 + 1/2 < 1, else 0.

    Of a NaN x the document says nothing: it lies neither inside nor outside. In float32 x/6 + 1/2 of the last number
    below 3 may round to 1.
    """
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    zero, sixth = torch.zeros_like(g), g / 6
    inside = (x > -3) & (x < 3)
    by_limits = torch.where((x <= -3) | (x >= 3), zero, sixth)
    rounded = torch.where(inside & (x < _LAST_BELOW_3), sixth, zero)
    return {"out": Answer(torch.where(inside, sixth, zero), (by_limits, rounded))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's hard sigmoid gradient in the promoted dtype of gradOutput and self."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    dtype = torch.promote_types(g.dtype, x.dtype)
    return {"out": torch.ops.aten.hardsigmoid_backward(g.to(dtype), x.to(dtype))}
