"""Softplus: ln(1 + exp(β·x)) / β, and x where β·x exceeds the threshold."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, largest
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.exponential import exact_in_float32, exponent_terms
from runners.reference.held import held_together

_FLOAT32_LARGEST = largest(DTYPES["float32"])
_NEAR = 2.0**-22
"""How far, in parts of its size, float32 may misplace a product beside the threshold."""


def golden(arguments: Arguments) -> Answers:
    """``out`` of self, of its shape, with β and the threshold as given, as float32 or as self's type holds them."""
    x = arguments.tensor("self")
    scalars = arguments.number("beta"), arguments.number("threshold")
    readings = held_together(scalars, arguments.dtype("self"))
    answers = [answer for beta, threshold in readings for answer in _softplus(x, beta, threshold)]
    beta, threshold = scalars
    linear = beta * x > threshold
    terms = exponent_terms(torch.where(linear, torch.zeros_like(x), answers[0]), beta * x)
    return {"out": Answer(answers[0], tuple(answers[1:]), terms=terms)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's softplus in self's dtype."""
    beta, threshold = arguments.number("beta"), arguments.number("threshold")
    return {"out": torch.nn.functional.softplus(arguments.native("self"), beta, threshold)}


def _softplus(x: torch.Tensor, beta: float, threshold: float) -> tuple[torch.Tensor, ...]:
    """The function, and its other branch where the document is silent: at NaN, and for a product beside the threshold.

    A product that is not exact in float32 may fall on the other side of a threshold within two of its steps. Where
    exp(β·x) exceeds float32 below the threshold, the curve may be infinite.
    """
    product = beta * x
    curve = torch.clamp(product, min=0) + torch.log1p(torch.exp(-product.abs()))
    curve = curve / beta if beta else curve * torch.inf
    near = (product - threshold).abs() <= _NEAR * abs(threshold)
    beside = torch.isnan(product - threshold) | (near & ~exact_in_float32(product))
    exceeds = product > threshold
    overflown = torch.where(torch.exp(product) > _FLOAT32_LARGEST, torch.inf / beta if beta else torch.inf, curve)
    return tuple(torch.where(branch, x, bent) for branch in (exceeds, exceeds ^ beside) for bent in (curve, overflown))
