"""Threshold: x where it is greater than the threshold, else another value."""

from __future__ import annotations

from math import ceil, floor, isfinite

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.comparing import above, up_to
from runners.reference.held import held


def golden(arguments: Arguments) -> Answers:
    """``out`` = x > threshold ? x : value, of self's shape."""
    return {"out": replaced(arguments, "self", "out")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's threshold in self's dtype; none for numbers that the dtype does not hold."""
    result = native_threshold(arguments, "self")
    return None if result is None else {"out": result}


def replaced(arguments: Arguments, name: str, output: str) -> Answer:
    """The function of one tensor for an output; any type may hold the threshold, NaN may stay or be replaced."""
    x, value = arguments.exact(name), arguments.exact_number("value")
    limits = held(arguments.exact_number("threshold"), arguments.dtype(name))
    kept: torch.Tensor = arguments.tensor(name)
    others: tuple[float, ...] = (value,)
    if x.dtype == torch.int64 and (arguments.dtype(output).is_integer or value in _whole(value)):
        kept, others = x, _whole(value)
    full = [torch.full_like(kept, other) for other in others]
    first, *dropping = [torch.where(above(x, limit), kept, other) for other in full for limit in limits]
    keeping = [torch.where(up_to(x, limit), other, kept) for other in full for limit in limits]
    return Answer(first, (*dropping, *keeping), selects=True)


def _whole(value: float) -> tuple[int, ...]:
    """The integers that a value may become: the nearest, and those around it; int64's smallest where there is none."""
    if not isfinite(value) or not -(2**63) <= value < 2**63:
        return (-(2**63),)
    return tuple(dict.fromkeys((round(value), floor(value), ceil(value))))


def native_threshold(arguments: Arguments, name: str) -> torch.Tensor | None:
    """Torch's threshold of one tensor, in its dtype."""
    x = arguments.native(name)
    limit, value = arguments.exact_number("threshold"), arguments.exact_number("value")
    if not (_holds(x.dtype, limit) and _holds(x.dtype, value)):
        return None
    return torch.nn.functional.threshold(x, limit, value)


def _holds(dtype: torch.dtype, number: float) -> bool:
    """Whether the number is in the dtype's range; floating-point types hold NaN and infinities."""
    if dtype.is_floating_point:
        return not isfinite(number) or abs(number) <= torch.finfo(dtype).max
    return torch.iinfo(dtype).min <= number <= torch.iinfo(dtype).max
