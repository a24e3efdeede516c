"""Leaky ReLU: x above 0, else slope·x."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.held import held


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > 0 ? x : negativeSlope·x, of self's shape."""
    return {"out": leaky(arguments, "self")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's leaky ReLU in self's dtype."""
    slope = arguments.number("negativeSlope")
    return {"out": torch.nn.functional.leaky_relu(arguments.native("self"), slope)}


def leaky(arguments: Arguments, name: str) -> Answer:
    """The function of one tensor, for the slope in every type that may hold it.

    As max(0, x) + slope·min(0, x) it differs where a positive x meets an infinite or NaN slope (∞·0 is NaN).
    """
    x = arguments.tensor(name)
    slopes = held(arguments.number("negativeSlope"), arguments.dtype(name))
    chosen = [torch.where(x > 0, x, slope * x) for slope in slopes]
    summed = [x.clamp(min=0) + slope * x.clamp(max=0) for slope in slopes]
    return Answer(chosen[0], (*chosen[1:], *summed))
