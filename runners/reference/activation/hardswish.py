"""Hard swish: 0 up to −3, x from 3 on, x·(x + 3)/6 between."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, largest
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark

_FLOAT32_LARGEST = largest(DTYPES["float32"])


def golden(arguments: Arguments) -> Answers:
    """``out`` of self, of its shape."""
    return {"out": hard_swish(arguments.tensor("self"))}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's hard swish in self's dtype."""
    return {"out": torch.nn.functional.hardswish(arguments.native("self"))}


def hard_swish(x: torch.Tensor) -> Answer:
    """The function in pieces, and as x times a number from 0 to 6, divided by 6.

    The product is NaN at −∞ (−∞·0), and infinite in float32 where 6·x passes its largest number.
    """
    value = x * torch.clamp((x + 3) / 6, 0, 1)
    pieces = torch.where(x <= -3, torch.zeros_like(x), torch.where(x >= 3, x, value))
    product = torch.where(6 * x > _FLOAT32_LARGEST, torch.full_like(x, torch.inf), value)
    return Answer(pieces, (product,))
