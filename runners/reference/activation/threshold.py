"""Threshold: x where it is greater than the threshold, else another value."""

from __future__ import annotations

from math import isfinite

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.held import held


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > threshold ? x : value, of self's shape."""
    return {"out": replaced(arguments, "self")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's threshold in self's dtype; none for numbers that the dtype does not hold."""
    result = native_threshold(arguments, "self")
    return None if result is None else {"out": result}


def replaced(arguments: Arguments, name: str) -> Answer:
    """The function of one tensor, for the threshold in every type that may hold it; NaN may stay or be replaced."""
    x, value = arguments.tensor(name), arguments.number("value")
    limits = held(arguments.number("threshold"), arguments.dtype(name))
    other = torch.full_like(x, value)
    above = [torch.where(x > limit, x, other) for limit in limits]
    keeping = [torch.where(x <= limit, other, x) for limit in limits]
    return Answer(above[0], (*above[1:], *keeping), selects=True)


def native_threshold(arguments: Arguments, name: str) -> torch.Tensor | None:
    """Torch's threshold of one tensor, in its dtype."""
    x = arguments.native(name)
    limit, value = arguments.number("threshold"), arguments.number("value")
    if not (_holds(x.dtype, limit) and _holds(x.dtype, value)):
        return None
    return torch.nn.functional.threshold(x, limit, value)


def _holds(dtype: torch.dtype, number: float) -> bool:
    """Whether the number is in the dtype's range; floating-point types hold NaN and infinities."""
    if dtype.is_floating_point:
        return not isfinite(number) or abs(number) <= torch.finfo(dtype).max
    return torch.iinfo(dtype).min <= number <= torch.iinfo(dtype).max
