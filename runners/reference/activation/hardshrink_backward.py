"""Gradient of hard shrink: passes where the forward kept its input."""

from __future__ import annotations

from conformance.promotion import promote
from runners.reference.arguments import Answers, Arguments
from runners.reference.threshold import shrunk


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = |x| > λ ? g : 0, of gradOutput's and self's broadcast shape; λ is a float32 scalar."""
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    own = arguments.dtype("self")
    compared_in = promote(arguments.dtype("gradOutput"), own) or own
    return {"gradInput": shrunk(g, x, arguments.number("lambd"), compared_in)}
