"""FATReLU of the first half of the last dimension times the second half."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = (a ≥ threshold ? a : 0)·b with a and b the halves of input.

    A NaN a is neither at or above the threshold nor below it: it may stay or become 0. So may a number equal to the
    threshold, which implementations drop.
    """
    a, b = arguments.tensor("input").chunk(2, -1)
    threshold = arguments.tensor("threshold").reshape(())
    zero = torch.zeros_like(a)
    kept, dropped = torch.where(a >= threshold, a, zero), torch.where(a < threshold, zero, a)
    above = torch.where(a > threshold, a, zero)
    return {"out": Answer(kept * b, (dropped * b, above * b))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's threshold and product in input's dtype; the threshold itself does not stay there."""
    a, b = arguments.native("input").chunk(2, -1)
    limit = float(arguments.native("threshold").reshape(()))
    return {"out": torch.nn.functional.threshold(a, limit, 0.0) * b}
