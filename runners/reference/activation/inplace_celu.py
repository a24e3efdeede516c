"""CELU in place: max(0, x) + min(0, α·(exp(x/α) − 1))."""

from __future__ import annotations

from runners.reference.activation.celu import celu, native_celu
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = x > 0 ? x : α·(exp(x/α) − 1)."""
    return {"selfRef": celu(arguments, "selfRef")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's CELU in selfRef's dtype; none for an α whose inverse float32 does not hold."""
    return native_celu(arguments, "selfRef", "selfRef")
