"""Gradient of Mish, x·tanh(log(1 + exp(x)))."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.sigmoid import sigmoid, vanishes

_TANH_IS_1 = 9.02
"""From here on tanh(log(1 + exp(x))) rounds to 1 in float32."""


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·(t + x·σ(x)·(1 − t²)) with t = tanh(log(1 + exp(x))), of the inputs' broadcast shape.

    At ±∞ the formula multiplies infinity by 0; the limits, g and 0, will do too, and 0 wherever σ is lost in
    float32. As written, log(1 + exp(x)) loses up to a step of 1 for negative x, and 1 − t² up to two.
    """
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    (t, rest), gate = _tanh_and_rest(x), x * sigmoid(x)
    value = g * (t + gate * rest)
    limit = torch.where(x == torch.inf, g, torch.where(vanishes(x), g * 0, value))
    loss = torch.where(x < 0, 0.125, 0.0) + gate.abs() * (x < _TANH_IS_1) / 4
    terms = g.abs() * (t + gate.abs() * rest + loss)
    return {"gradInput": Answer(value, (limit,), terms=terms, term_count=2)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's Mish gradient in the type that the inputs promote to; none for other than floating-point types."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    dtype = torch.promote_types(g.dtype, x.dtype)
    if not dtype.is_floating_point:
        return None
    return {"gradInput": torch.ops.aten.mish_backward(g.to(dtype), x.to(dtype))}


def _tanh_and_rest(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """T = tanh(log(1 + exp(x))) and 1 − t² as fractions in q = exp(−|x|), which neither overflow nor cancel."""
    q = torch.exp(-x.abs())
    above, below = 1 + 2 * q + 2 * q * q, q * q + 2 * q + 2
    t = torch.where(x > 0, (1 + 2 * q) / above, (q * q + 2 * q) / below)
    rest = torch.where(x > 0, (2 * q * (1 + q) / above) ** 2, (2 * (1 + q) / below) ** 2)
    return t, rest
