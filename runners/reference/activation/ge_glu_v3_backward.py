"""Gradient of GeGLU with either half activated."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu_gate import gelu_gate_gradient, torch_gate_gradient
from runners.reference.halves import flag


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` of self's shape; the half that GELU was taken of is the first where ``activateLeft`` says so."""
    return gelu_gate_gradient(arguments, left=flag(arguments, "activateLeft"))


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's gradient of GELU, and products."""
    return torch_gate_gradient(arguments, left=flag(arguments, "activateLeft"))
