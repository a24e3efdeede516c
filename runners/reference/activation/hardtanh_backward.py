"""Gradient of hard tanh: passes between the limits."""

from __future__ import annotations

import torch

from conformance.number import round_to
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = 0 below min and above max, else g.

    That is the document, which lets the gradient pass at both limits; the operator replaces it by 0 there. Either
    will do, with the limits as given or rounded to the type of self.
    """
    g, x, dtype = arguments.tensor("gradOutput"), arguments.tensor("self"), arguments.dtype("self")
    low, high = (arguments.number(name) for name in ("min", "max"))
    limits = dict.fromkeys(((low, high), (float(round_to(dtype, low)), float(round_to(dtype, high)))))
    zero = torch.zeros_like(g)
    passing = [torch.where((x < least) | (x > most), zero, g) for least, most in limits]
    stopped = [torch.where((x <= least) | (x >= most), zero, g) for least, most in limits]
    return {"out": Answer(passing[0], (*passing[1:], *stopped), selects=True)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's hard tanh gradient in self's dtype."""
    g, x = arguments.native("gradOutput"), arguments.native("self")
    return {"out": torch.ops.aten.hardtanh_backward(g, x, arguments.number("min"), arguments.number("max"))}
