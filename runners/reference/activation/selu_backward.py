"""Gradient of SELU, from the forward's result."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark

_ALPHA = 1.6732632423543772848170429916717
_SCALE = 1.0507009873554804934193349852946
_SHIFT = _ALPHA * _SCALE


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = y <= 0 ? g·(y + αλ) : λ·g, of result's shape, with λ = 1.0507… and αλ = 1.7580….

    This is the operator's rule. The document puts y = 0 into the other branch, and says nothing of a NaN y:
    there both branches count.
    """
    g, y = arguments.tensor("gradOutput"), arguments.tensor("result")
    below, above = g * (y + _SHIFT), g * _SCALE
    return {
        "gradInput": Answer(
            torch.where(y <= 0, below, above),
            (torch.where(y >= 0, above, below),),
            terms=torch.where(y <= 0, g.abs() * (y.abs() + _SHIFT), above.abs()),
            term_count=2,
        )
    }


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's ELU gradient from the result; none for integers."""
    g, y = arguments.native("gradOutput"), arguments.native("result")
    if not g.is_floating_point():
        return None
    return {"gradInput": torch.ops.aten.elu_backward(g, _ALPHA, _SCALE, 1.0, True, y)}
