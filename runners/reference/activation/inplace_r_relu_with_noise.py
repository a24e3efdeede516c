"""Randomised leaky ReLU in place: below 0 a random slope in training, the mean one otherwise."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.rrelu import by_torch, rectified


def golden(arguments: Arguments) -> Answers:
    """``self`` and ``noise``, from which it follows in training."""
    return rectified(arguments, "self")


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's noise and product of it; none where lower is above upper or either is not finite."""
    return by_torch(arguments, "self")
