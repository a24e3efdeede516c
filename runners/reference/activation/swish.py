"""Swish: x·σ(β·x)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.exponential import exponent_terms
from runners.reference.held import held
from runners.reference.sigmoid import sigmoid, vanishes


def golden(arguments: Arguments) -> Answers:
    """``out`` = x·σ(β·x), of self's shape, with β as given, as float32 or as self's type holds it."""
    x, dtype = arguments.tensor("self"), arguments.dtype("self")
    answers = [answer for beta in held(_beta(arguments), dtype) for answer in _swish(x, beta)]
    return {"out": Answer(answers[0], tuple(answers[1:]), terms=exponent_terms(answers[0], _beta(arguments) * x))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU in self's dtype where β is 1; torch has no operator for another β."""
    return {"out": torch.nn.functional.silu(arguments.native("self"))} if _beta(arguments) == 1 else None


def _beta(arguments: Arguments) -> float:
    """β; 1 where it is null."""
    return 1.0 if arguments.is_null("betaOptional") else arguments.number("betaOptional")


def _swish(x: torch.Tensor, beta: float) -> tuple[torch.Tensor, ...]:
    """The function, and what else will do.

    That is 0 where σ is lost in float32 or an infinite x meets a σ of 0; and for β = 0, where 0·∞ is NaN, x/2.
    """
    product = beta * x
    value = x * sigmoid(product)
    lost = torch.where(vanishes(product), torch.zeros_like(x), value)
    return (value, lost) if beta else (value, lost, x / 2)
