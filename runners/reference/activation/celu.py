"""CELU: max(0, x) + min(0, α·(exp(x/α) − 1))."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, largest
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.exponential import linear_unit
from runners.reference.held import held

_FLOAT32_LARGEST = largest(DTYPES["float32"])


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > 0 ? x : α·(exp(x/α) − 1), of self's shape."""
    return {"out": celu(arguments, "self")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's CELU in self's dtype; none for an α whose inverse float32 does not hold."""
    return native_celu(arguments, "self", "out")


def native_celu(arguments: Arguments, name: str, output: str) -> Benchmark:
    """Torch's CELU of one tensor, in its dtype."""
    alpha = arguments.number("alpha")
    if abs(alpha) * _FLOAT32_LARGEST < 1:
        return None
    return {output: torch.nn.functional.celu(arguments.native(name), alpha)}


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
