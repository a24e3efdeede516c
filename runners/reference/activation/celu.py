"""CELU: max(0, x) + min(0, α·(exp(x/α) − 1))."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.exponential import linear_unit
from runners.reference.held import held


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > 0 ? x : α·(exp(x/α) − 1), of self's shape."""
    return {"out": celu(arguments, "self")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's CELU in self's dtype."""
    return {"out": torch.nn.functional.celu(arguments.native("self"), arguments.number("alpha"))}


def celu(arguments: Arguments, name: str) -> Answer:
    """Both branches of the sum; a maximum and a minimum that drop NaN leave 0 of it.

    α counts in every type that may hold it without becoming 0.
    """
    x = arguments.tensor(name)
    alphas = [alpha for alpha in held(arguments.number("alpha"), arguments.dtype(name)) if alpha]
    units = [linear_unit(x, x, x / alpha, alpha) for alpha in alphas]
    values = [value for unit in units for value in (unit.value, *unit.alternatives)]
    dropped = [torch.where(x.isnan(), torch.zeros_like(x), value) for value in values]
    return Answer(values[0], (*values[1:], *dropped), units[0].terms, units[0].term_count)
