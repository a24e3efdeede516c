"""Hard swish in place: 0 up to −3, x from 3 on, x·(x + 3)/6 between."""

from __future__ import annotations

import torch

from runners.reference.activation.hardswish import hard_swish
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``self`` of itself."""
    return {"self": hard_swish(arguments.tensor("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's hard swish in self's dtype."""
    return {"self": torch.nn.functional.hardswish(arguments.native("self"))}
