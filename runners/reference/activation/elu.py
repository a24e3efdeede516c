"""ELU: scale·x above 0, else α·scale·(exp(inputScale·x) − 1)."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.exponential import linear_unit
from runners.reference.held import held_together


def golden(arguments: Arguments) -> Answers:
    """``out`` of self, of its shape."""
    return {"out": elu(arguments, "self")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's ELU in self's dtype."""
    return {"out": native_elu(arguments, "self")}


def elu(arguments: Arguments, name: str) -> Answer:
    """The function of one tensor and the three scalars, in every type that may hold these."""
    x = arguments.tensor(name)
    scalars = arguments.number("alpha"), arguments.number("scale"), arguments.number("inputScale")
    units = [
        linear_unit(x, scale * x, slope * x, alpha * scale)
        for alpha, scale, slope in held_together(scalars, arguments.dtype(name))
    ]
    values = [value for unit in units for value in (unit.value, *unit.alternatives)]
    return Answer(values[0], tuple(values[1:]), units[0].terms, units[0].term_count)


def native_elu(arguments: Arguments, name: str) -> torch.Tensor:
    """Torch's ELU of one tensor, in its dtype."""
    scalars = (arguments.number(scalar) for scalar in ("alpha", "scale", "inputScale"))
    result: torch.Tensor = torch.ops.aten.elu(arguments.native(name), *scalars)
    return result
