"""Clipped SwiGLU."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.clipped_gate import clip_of, merged, readings_of


def golden(arguments: Arguments) -> Answers:
    """``out`` = a·σ(alpha·a)·(b + bias), a and b the halves of x, or its even and odd elements, cut to the limit.

    Every row is computed, also those beyond the sum of ``groupIndexOptional``, of which the document says nothing.
    """
    clip = clip_of(arguments)
    return {"out": merged([clip.forward(*halves) for halves, _ in readings_of(arguments)])}
