"""Gradient of threshold: passes where the forward kept its input."""

from __future__ import annotations

import math

import torch

from conformance.dtype import DTYPES
from conformance.number import round_to
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.comparing import above, up_to
from runners.reference.pairs import broadcast

_SMALLEST_STEP = 2.0**-23
"""float32's distance of 1 to the next number: the operator takes a threshold up to that as 0."""


def golden(arguments: Arguments) -> Answers:
    """``out`` = x <= threshold ? 0 : g, of gradOutput's and self's broadcast shape.

    The threshold may be rounded to float32 and to the type of self, cut off to a whole number for integers, and a tiny
    one be 0. A NaN x is neither up to the threshold nor above it.
    """
    g, x = broadcast(arguments.exact("gradOutput"), arguments.exact("self"))
    zero = torch.zeros_like(g)
    limits = _limits(arguments)
    first, *others = (torch.where(up_to(x, limit), zero, g) for limit in limits)
    return {"out": Answer(first, (*others, *(torch.where(above(x, limit), g, zero) for limit in limits)), selects=True)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's threshold gradient in self's dtype; none for a threshold beyond an integer type, which torch refuses."""
    g, x = broadcast(arguments.native("gradOutput"), arguments.native("self"))
    limits = None if x.is_floating_point() else torch.iinfo(x.dtype)
    if limits is not None and not limits.min <= arguments.number("threshold") <= limits.max:
        return None
    return {"out": torch.ops.aten.threshold_backward(g, x, arguments.exact_number("threshold"))}


def _limits(arguments: Arguments) -> list[float]:
    given, dtype = arguments.exact_number("threshold"), arguments.dtype("self")
    limits: list[float] = [given]
    if abs(given) <= _SMALLEST_STEP:
        limits.append(0.0)
    elif math.isfinite(given):
        near = round_to(DTYPES["float32"], given)
        limits += [math.trunc(given), near] if dtype.is_integer else [round_to(dtype, given)]
    return list(dict.fromkeys(limits))
