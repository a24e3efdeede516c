"""Clipped SwiGLU."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.clipped_gate import clip_of, merged, readings_of, with_free_rows


def golden(arguments: Arguments) -> Answers:
    """``out`` = a·σ(alpha·a)·(b + bias), a and b the halves of x, or its even and odd elements, cut to the limit.

    Rows beyond the sum of ``groupIndexOptional`` are free: the document says nothing of them.
    """
    clip = clip_of(arguments)
    answer = merged([clip.forward(*halves) for halves, _ in readings_of(arguments)])
    return {"out": with_free_rows(arguments, answer)}
