"""SituGLU: a gate of tanh and σ times a bounded linear half."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.tanh_gate import gate_of


def golden(arguments: Arguments) -> Answers:
    """``out`` = β·tanh(a/β)·σ(a)·λ·tanh(b/λ), a and b the halves of x, or b and a without ``activateLeft``."""
    return {"out": gate_of(arguments).forward()}
