"""Sigmoid: σ(x) = 1 / (1 + exp(−x))."""

from __future__ import annotations

import torch

from conformance.dtype import Kind
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.sigmoid import sigmoid, vanishes


def golden(arguments: Arguments) -> Answers:
    """``out`` = σ(x), of self's shape."""
    return {"out": logistic(arguments, "self")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's sigmoid in self's dtype; none for other than floating-point types."""
    x = arguments.native("self")
    return {"out": torch.sigmoid(x)} if x.is_floating_point() else None


def logistic(arguments: Arguments, name: str) -> Answer:
    """σ of one tensor; 0 will do where float32 loses it, unless float64 or complex numbers are computed in."""
    dtype = arguments.dtype(name)
    if dtype.kind is Kind.COMPLEX:
        return Answer(sigmoid(arguments.native(name).to(torch.complex128)))
    x = arguments.tensor(name)
    value = sigmoid(x)
    if dtype.name == "float64":
        return Answer(value)
    return Answer(value, (torch.where(vanishes(x), torch.zeros_like(x), value),))
