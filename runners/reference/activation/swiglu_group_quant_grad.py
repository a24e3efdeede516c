"""Gradient of SwiGLU of rows in groups; quantisation is passed straight through."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.halves import beside
from runners.reference.narrow import wide
from runners.reference.swiglu_groups import NO_CLAMP, by_rows, clamped, merged
from runners.reference.swish_gate import gradients


def golden(arguments: Arguments) -> Answers:
    """``gradXOut`` = gradY·b·σ(a)·(1 + a·(1 − σ(a))) beside gradY·a·σ(a), a and b the clamped halves of x.

    Where a half is clamped its gradient is 0; exactly at the limit 0 and the gradient will do. Rows are times their
    weight. ``gradWeightOutOptional`` = Σ gradY·yOriginOptional over a row.
    """
    g, x, limit = arguments.tensor("gradY"), arguments.tensor("x"), arguments.number("clampLimit")
    a, b = x.chunk(2, -1)
    readings = []
    for pair in clamped(a, b, limit):
        left, right = gradients(g, *pair)
        for inclusive in (False, True):
            kept = _inside(a, pair[0], limit, inclusive), _inside(b, pair[1], limit, inclusive)
            readings.append(beside(_masked(left, kept[0]), _masked(right, kept[1]), -1))
    answers = {"gradXOut": by_rows(merged(*readings), arguments)}
    if not (arguments.is_null("gradWeightOutOptional") or arguments.is_null("yOriginOptional")):
        products = g * arguments.tensor("yOriginOptional")
        shape = arguments.shape("gradWeightOutOptional")
        total, terms = products.sum(-1).reshape(shape), products.abs().sum(-1).reshape(shape)
        answers["gradWeightOutOptional"] = Answer(total, terms=terms, term_count=products.shape[-1])
    return answers


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's SiLU, its gradient and products in float32; none with clamps, weights or groups."""
    names = ("weightOptional", "groupIndexOptional", "gradWeightOutOptional")
    if any(not arguments.is_null(name) for name in names) or arguments.number("clampLimit") != NO_CLAMP:
        return None
    g = wide(arguments.native("gradY"))
    a, b = wide(arguments.native("x")).chunk(2, -1)
    left = torch.ops.aten.silu_backward(g * b, a)
    return {"gradXOut": torch.cat((left, g * torch.nn.functional.silu(a)), -1)}


def _inside(x: torch.Tensor, held: torch.Tensor, limit: float, inclusive: bool) -> torch.Tensor:
    """Where a half is not clamped, its limits counted in or not."""
    unchanged = (x == held) | x.isnan()
    return unchanged if inclusive or limit == NO_CLAMP else unchanged & (x.abs() != limit)


def _masked(answer: Answer, kept: torch.Tensor) -> Answer:
    """The answer where ``kept``, 0 elsewhere."""
    value, *others = (torch.where(kept, one, one.new_zeros(())) for one in (answer.value, *answer.alternatives))
    terms = None if answer.terms is None else torch.where(kept, answer.terms, 0.0)
    return Answer(value, tuple(others), terms=terms, term_count=answer.term_count)
