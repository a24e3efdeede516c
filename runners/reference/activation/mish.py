"""Mish: x·tanh(ln(1 + exp(x)))."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, smallest_normal, smallest_subnormal
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark

_FLOAT32_NORMAL = smallest_normal(DTYPES["float32"])
_FLOAT32_STEP = smallest_subnormal(DTYPES["float32"])


def golden(arguments: Arguments) -> Answers:
    """``out`` = x·tanh(ln(1 + exp(x))), of self's shape."""
    return {"out": mish(arguments.tensor("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's Mish in self's dtype."""
    return {"out": torch.nn.functional.mish(arguments.native("self"))}


def mish(x: torch.Tensor) -> Answer:
    """Mish of x. At −∞ the formula reads −∞·0, NaN, while the limit is 0.

    Below −87.3, where exp(x) is subnormal in float32, x times it can still be a normal number: there the results of
    an exponential within one of float32's steps will do, and 0, as if the exponential were flushed. The one term is
    the result itself: three functions in a row, each with an error of its own, take the bound of two factors.
    """
    power = torch.exp(x)
    value = x * torch.tanh(torch.log1p(power))
    lost = power < _FLOAT32_NORMAL
    held = power.float().double()
    coarse = [torch.where(lost, x * (held + step * _FLOAT32_STEP), value) for step in (-1, 0, 1)]
    flushed = torch.where(lost, torch.zeros_like(x), value)
    return Answer(value, (*coarse, flushed), terms=value.abs())
