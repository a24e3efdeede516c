"""Gradient of ELU, from the forward's input or from its result."""

from __future__ import annotations

import math

import torch

from conformance.dtype import DTYPES, largest, smallest_normal
from runners.reference.arguments import Answer, Answers, Arguments, Benchmark

_FLOAT32 = DTYPES["float32"]


def golden(arguments: Arguments) -> Answers:
    """``gradInput`` = g·scale above 0, else g·inputScale·αs·exp(x·inputScale), or g·inputScale·(y + αs) of a result y.

    αs is alpha·scale. A NaN x is neither up to 0 nor above it, so that both branches count. In float32, in which
    the operator computes, the power may be lost or overflow, and so may the product of its factors.
    """
    g, x = arguments.tensor("gradOutput"), arguments.tensor("selfOrResult")
    scale, inner = arguments.number("scale"), arguments.number("inputScale")
    full = arguments.number("alpha") * scale
    above = g * scale
    if arguments.integer("isResult"):
        return {
            "gradInput": _branches(x, above, g * inner * (x + full), terms=(g * inner).abs() * (x.abs() + abs(full)))
        }
    power, factor = torch.exp(x * inner), g * inner * full
    below, *lost = (left * right for left in (factor, _in_float32(factor)) for right in (power, _in_float32(power)))
    # Rounding the argument of exp, which multiplying by a power of two does not, is multiplied by its size.
    terms = None if math.frexp(inner)[0] == 0.5 else below.abs() * (1 + (x * inner).abs() / 32)
    return {"gradInput": _branches(x, above, below, *lost, terms=terms)}


def benchmark(arguments: Arguments) -> Benchmark:
    """Torch's ELU gradient in gradOutput's dtype; none for a result of a NaN alpha, which torch refuses."""
    if arguments.integer("isResult") and math.isnan(arguments.number("alpha")):
        return None
    g, x = arguments.native("gradOutput"), arguments.native("selfOrResult")
    scalars = (arguments.number(name) for name in ("alpha", "scale", "inputScale"))
    return {"gradInput": torch.ops.aten.elu_backward(g, *scalars, bool(arguments.integer("isResult")), x)}


def _branches(x: torch.Tensor, above: torch.Tensor, *below: torch.Tensor, terms: torch.Tensor | None) -> Answer:
    """The answer with ``below`` up to 0, of which the first is the golden; a NaN x takes either branch."""
    first, *others = (torch.where(x <= 0, branch, above) for branch in below)
    others += [torch.where(x > 0, above, branch) for branch in below]
    sizes = None if terms is None else torch.where(x <= 0, terms, above.abs())
    return Answer(first, tuple(others), terms=sizes, term_count=2)


def _in_float32(values: torch.Tensor) -> torch.Tensor:
    """0 for what is nearer to 0 than float32's normal numbers, infinity for what is beyond its largest."""
    kept = torch.where(values.abs() < smallest_normal(_FLOAT32), values * 0, values)
    return torch.where(values.abs() > largest(_FLOAT32), values * torch.inf, kept)
