"""Hard sigmoid: x/6 + 1/2, cut to what lies between 0 and 1."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = 1 above 3, 0 up to -3, x/6 + 1/2 between, of self's shape."""
    return {"out": cut_line(arguments.tensor("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's hard sigmoid in self's dtype; none for integers."""
    x = arguments.native("self")
    return {"out": torch.nn.functional.hardsigmoid(x)} if x.is_floating_point() else None


def cut_line(x: torch.Tensor) -> Answer:
    """The function with the size of its terms, which nearly cancel towards -3; beyond ±3 nothing is added."""
    terms = torch.where(x.abs() > 3, torch.zeros_like(x), x.abs() / 6 + 0.5)
    return Answer(torch.clamp(x / 6 + 0.5, 0, 1), terms=terms, term_count=2)
