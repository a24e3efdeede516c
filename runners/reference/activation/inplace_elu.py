"""ELU in place: scale·x above 0, else α·scale·(exp(inputScale·x) − 1)."""

from __future__ import annotations

from runners.reference.activation.elu import elu, native_elu
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` of itself."""
    return {"selfRef": elu(arguments, "selfRef")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's ELU in selfRef's dtype."""
    return {"selfRef": native_elu(arguments, "selfRef")}
