"""Hard sigmoid in place: x/6 + 1/2, cut to what lies between 0 and 1."""

from __future__ import annotations

import torch

from runners.reference.activation.hardsigmoid import cut_line
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``self`` = 1 above 3, 0 up to -3, x/6 + 1/2 between."""
    return {"self": cut_line(arguments.tensor("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's hard sigmoid in self's dtype; none for integers."""
    x = arguments.native("self")
    return {"self": torch.nn.functional.hardsigmoid(x)} if x.is_floating_point() else None
