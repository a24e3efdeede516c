"""GeGLU: GELU of either half of an axis times the other half."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu_gate import gelu_gate, torch_gate
from runners.reference.halves import flag


def golden(arguments: Arguments) -> Answers:
    """``out`` and ``outGelu``; GELU is that of the first half where ``activateLeft`` says so, else of the second."""
    return gelu_gate(arguments, left=flag(arguments, "activateLeft"))


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's GELU of that half and its product with the other."""
    return torch_gate(arguments, left=flag(arguments, "activateLeft"))
