"""CELU in place: max(0, x) + min(0, α·(exp(x/α) − 1))."""

from __future__ import annotations

import torch

from runners.reference.activation.celu import celu
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = x > 0 ? x : α·(exp(x/α) − 1)."""
    return {"selfRef": celu(arguments, "selfRef")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's CELU in selfRef's dtype."""
    return {"selfRef": torch.nn.functional.celu(arguments.native("selfRef"), arguments.number("alpha"))}
