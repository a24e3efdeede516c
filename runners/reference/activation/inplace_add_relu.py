"""ReLU of self + alpha·other in place."""

from __future__ import annotations

from runners.reference.add_relu import rectified_native_sum, rectified_sum
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = max(selfRef + alpha·other, 0)."""
    return {"selfRef": rectified_sum(arguments, "selfRef")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's sum and ReLU in the promoted dtype."""
    result = rectified_native_sum(arguments, "selfRef")
    return None if result is None else {"selfRef": result}
