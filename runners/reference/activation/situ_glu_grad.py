"""Gradient of SituGLU."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.halves import beside, flag
from runners.reference.tanh_gate import gate_of


def golden(arguments: Arguments) -> Answers:
    """``out`` of x's shape: the gradients of both halves where x has them."""
    of_gate, of_other = gate_of(arguments).backward(arguments.tensor("gradY"))
    halves = (of_gate, of_other) if flag(arguments, "activateLeft") else (of_other, of_gate)
    return {"out": beside(*halves, arguments.integer("dim"))}
