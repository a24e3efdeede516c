"""GELU of one half times the other half, and its gradient."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer, Answers, Arguments, Benchmark
from runners.reference.gelu import by_erf, by_tanh
from runners.reference.gelu_gradient import by_erf as slope_by_erf
from runners.reference.gelu_gradient import by_tanh as slope_by_tanh
from runners.reference.halves import beside
from runners.reference.narrow import narrowed, wide

_TANH = 1
_ROUNDINGS = 2.0**-22
"""Four unit roundoffs of float32: a function that is off by a step beside a sum."""


def multiplied(answer: Answer, factor: torch.Tensor) -> Answer:
    """The answer times a factor, for each alternative; on the way float32 may lose what is too small for it.

    What is no larger than the roundings of float32 among its terms may have become 0, which shows beside infinity.
    """
    others = [*answer.alternatives, narrowed(answer.value)]
    if answer.terms is not None:
        lost = answer.value.abs() <= answer.terms * _ROUNDINGS
        others.append(torch.where(lost, torch.zeros_like(answer.value), answer.value))
    terms = None if answer.terms is None else answer.terms * factor.abs()
    return Answer(answer.value * factor, tuple(other * factor for other in others), terms, answer.term_count)


def gelu_gate(arguments: Arguments, left: bool) -> Answers:
    """``outGelu``: GELU of the left half of self along ``dim``, or of the right one; ``out``: that times the other."""
    halves = arguments.tensor("self").chunk(2, arguments.integer("dim"))
    activated, other = halves if left else halves[::-1]
    gelu = (by_tanh if arguments.integer("approximate") == _TANH else by_erf)(activated)
    return {"out": multiplied(gelu, other), "outGelu": gelu}


def gelu_gate_gradient(arguments: Arguments, left: bool) -> Answers:
    """``gradInput`` of self's shape: g·other·GELU′(activated) and g·gelu, each where that half lies in self."""
    g, gelu, dim = arguments.tensor("gradOutput"), arguments.tensor("gelu"), arguments.integer("dim")
    halves = arguments.tensor("self").chunk(2, dim)
    activated, other = halves if left else halves[::-1]
    slope = slope_by_tanh if arguments.integer("approximate") == _TANH else slope_by_erf
    near, early, late = slope(g * other, activated), slope(narrowed(g * other), activated), slope(g, activated)
    orders = (*near.alternatives, early.value, *early.alternatives, *multiplied(late, other).alternatives)
    slanted = Answer(near.value, orders, near.terms, near.term_count)
    straight = Answer(g * gelu, terms=(g * gelu).abs(), term_count=near.term_count)
    return {"gradInput": beside(*((slanted, straight) if left else (straight, slanted)), dim)}


def torch_gate(arguments: Arguments, left: bool) -> Benchmark:
    """Torch's GELU and product, 16 bits in float32."""
    halves = wide(arguments.native("self")).chunk(2, arguments.integer("dim"))
    activated, other = halves if left else halves[::-1]
    gelu = torch.nn.functional.gelu(activated, approximate=_word(arguments))
    return {"out": gelu * other, "outGelu": gelu}


def torch_gate_gradient(arguments: Arguments, left: bool) -> Benchmark:
    """Torch's GELU gradient and products, 16 bits in float32."""
    dim = arguments.integer("dim")
    g, gelu = wide(arguments.native("gradOutput")), wide(arguments.native("gelu"))
    halves = wide(arguments.native("self")).chunk(2, dim)
    activated, other = halves if left else halves[::-1]
    slanted = torch.ops.aten.gelu_backward(g * other, activated, approximate=_word(arguments))
    return {"gradInput": torch.cat((slanted, g * gelu) if left else (g * gelu, slanted), dim)}


def _word(arguments: Arguments) -> str:
    return "tanh" if arguments.integer("approximate") == _TANH else "none"
