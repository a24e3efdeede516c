"""ReLU of self + alpha·other."""

from __future__ import annotations

from runners.reference.add_relu import rectified_native_sum, rectified_sum
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``out`` = max(self + alpha·other, 0)."""
    return {"out": rectified_sum(arguments, "self")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's sum and ReLU in the promoted dtype."""
    result = rectified_native_sum(arguments, "self")
    return None if result is None else {"out": result}
