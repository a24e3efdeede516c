"""Gradient of clipped SwiGLU."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.clipped_gate import clip_of, merged, readings_of, with_free_rows
from runners.reference.pairs import broadcast


def golden(arguments: Arguments) -> Answers:
    """``gradXOut`` of x's shape: the gradients of both halves, where x has them; 0 beyond the limits."""
    clip, answers = clip_of(arguments), []
    for (a, b), join in readings_of(arguments):
        g, _ = broadcast(arguments.tensor("gradY"), a)
        answers.append(clip.backward(join, g.reshape(a.shape), a, b))
    return {"gradXOut": with_free_rows(arguments, merged(answers))}
