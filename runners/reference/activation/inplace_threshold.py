"""Threshold in place: x where it is greater than the threshold, else another value."""

from __future__ import annotations

from runners.reference.activation.threshold import native_threshold, replaced
from runners.reference.arguments import Answers, Arguments, Benchmark


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = x > threshold ? x : value."""
    return {"selfRef": replaced(arguments, "selfRef", "selfRef")}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's threshold in selfRef's dtype; none for numbers that the dtype does not hold."""
    result = native_threshold(arguments, "selfRef")
    return None if result is None else {"selfRef": result}
