"""Hard shrink: x outside [−λ, λ], else 0."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.threshold import shrunk


def golden(arguments: Arguments) -> Answers:
    """``out`` = |x| > λ ? x : 0, of self's shape; λ is a float32 scalar."""
    x = arguments.tensor("self")
    return {"out": shrunk(x, x, arguments.number("lambd"), arguments.dtype("self"))}
