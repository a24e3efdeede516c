"""ReLU in place: max(x, 0)."""

from __future__ import annotations

from runners.reference.activation.relu import rectified
from runners.reference.arguments import Answers, Arguments


def golden(arguments: Arguments) -> Answers:
    """``selfRef`` = x > 0 ? x : 0."""
    return {"selfRef": rectified(arguments.exact("selfRef"))}
