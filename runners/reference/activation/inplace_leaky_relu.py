"""Leaky ReLU in place: x above 0, else slope·x."""

from __future__ import annotations

import torch

from runners.reference.activation.leaky_relu import leaky
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = x > 0 ? x : negativeSlope·x."""
    return {"selfRef": leaky(arguments, "selfRef")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's leaky ReLU in selfRef's dtype."""
    slope = arguments.number("negativeSlope")
    return {"selfRef": torch.nn.functional.leaky_relu(arguments.native("selfRef"), slope)}
