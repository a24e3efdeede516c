"""Gradient of GeGLU."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.gelu_gate import gelu_gate_gradient, torch_gate_gradient


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·gelu beside g·a·GELU′(b) along ``dim``, a and b the halves of self."""
    return gelu_gate_gradient(arguments, left=False)


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's gradient of GELU, and products."""
    return torch_gate_gradient(arguments, left=False)
