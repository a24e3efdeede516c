"""Gradient of SiLU."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.sigmoid import ONE_IN_FLOAT32, sigmoid, vanishes

_FLOAT32_UNIT = 2.0**-24


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·σ(x)·(1 + x·(1 − σ(x))), of gradOutput's and self's broadcast shape.

    At ±∞ the formula multiplies infinity by 0; the limits, g at +∞ and 0 at −∞, will do too, and 0 wherever
    σ is lost in float32, in which the operator computes.
    """
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    sigma, complement = sigmoid(x), sigmoid(-x)
    value = g * sigma * (1 + x * complement)
    limit = torch.where(x == torch.inf, g, torch.where(vanishes(x), g * 0, value))
    # In float32 1 − σ loses up to u32, which x multiplies until σ rounds to 1; in steps of the output.
    loss = x.abs().clamp(max=ONE_IN_FLOAT32) * sigma * (_FLOAT32_UNIT / arguments.dtype("gradInput").unit)
    terms = g.abs() * sigma * (1 + x.abs() * complement + loss)
    return {"gradInput": Answer(value, (limit,), terms=terms, term_count=2)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU gradient in the promoted dtype of gradOutput and self."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    dtype = torch.promote_types(g.dtype, x.dtype)
    return {"gradInput": torch.ops.aten.silu_backward(g.to(dtype), x.to(dtype))}
