"""SwiGLU of rows in groups before quantisation; no source says how its result is quantised."""

from __future__ import annotations

from runners.reference.arguments import Answers, Arguments
from runners.reference.swiglu_groups import by_rows, clamped, merged
from runners.reference.swish_gate import gate


def golden(arguments: Arguments) -> Answers:
    """``yOriginOut`` = a·σ(a)·b times the row's weight, a and b the clamped halves of x; no other output."""
    a, b = arguments.tensor("x").chunk(2, -1)
    readings = (gate(*pair) for pair in clamped(a, b, arguments.number("clampLimit")))
    return {"yOriginOut": by_rows(merged(*readings), arguments)}
