"""SwiGLU: SiLU of the first half of an axis times the second half."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.narrow import wide
from runners.reference.swish_gate import gate


def golden(arguments: Arguments) -> Answers:
    """``out`` = a·σ(a)·b with a and b the halves of x along ``dim``."""
    a, b = arguments.tensor("x").chunk(2, arguments.integer("dim"))
    return {"out": gate(a, b)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU and product in float32, or x's own dtype."""
    a, b = wide(arguments.native("x")).chunk(2, arguments.integer("dim"))
    return {"out": torch.nn.functional.silu(a) * b}
