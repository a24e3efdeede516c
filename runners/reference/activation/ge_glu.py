"""GeGLU: the first half of an axis times GELU of the second."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu_gate import gelu_gate, torch_gate


def golden(arguments: Arguments) -> Answers:
    """``out`` = a·GELU(b) and ``outGelu`` = GELU(b), a and b the halves of self along ``dim``."""
    return gelu_gate(arguments, left=False)


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's GELU of the second half and its product with the first."""
    return torch_gate(arguments, left=False)
