"""Gradient of fast GELU, x·σ(1.702·x)."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.gated import gated_gradient

_SLOPE = 1.702


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·σ(z)·(1 + z·(1 − σ(z))) with z = 1.702·x, of self's shape."""
    g, x = arguments.tensor("gradOutput"), arguments.tensor("self")
    return {"gradInput": gated_gradient(g, x, _SLOPE)}
