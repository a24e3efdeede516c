"""Gradient of soft shrink: passes where the forward gave other than 0."""

from __future__ import annotations

import torch

from conformance.promotion import promote
from runners.reference.arguments import Answers, Arguments, Benchmark
from runners.reference.pairs import broadcast
from runners.reference.threshold import shrunk


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = |x| > λ ? g : 0, of gradOutput's and self's broadcast shape."""
    g, x = broadcast(arguments.tensor("gradOutput"), arguments.tensor("self"))
    own = arguments.dtype("self")
    compared_in = promote(arguments.dtype("gradOutput"), own) or own
    return {"gradInput": shrunk(g, x, arguments.number("lambda"), compared_in)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's soft shrink gradient in the promoted dtype; none for a finite λ beyond it, which torch refuses."""
    g, x = broadcast(arguments.native("gradOutput"), arguments.native("self"))
    dtype = torch.promote_types(g.dtype, x.dtype)
    if torch.finfo(dtype).max < arguments.number("lambda") < torch.inf:
        return None
    return {"gradInput": torch.ops.aten.softshrink_backward(g.to(dtype), x.to(dtype), arguments.number("lambda"))}
