"""GELU, scaled and quantised with given scales or with those of its rows."""

from __future__ import annotations

import math

import torch

from runners.reference.arguments import Answer, Answers, Arguments
from runners.reference.quantise import RoundMode, largest_number, quantised

_UNIT = 2.0**-24
_GELU_STEPS = 8
"""Errors of float32's GELU, in unit roundoffs of its argument: a function, a sum and two products."""
_LOWEST = 6.0
"""Below -6 the normal distribution is 0 in float32, or the result small beside an error at -6."""
_STEPS = 3
"""Roundings after it, each of up to one unit roundoff of the result."""


def golden(arguments: Arguments) -> Answers:
    """``y`` = round(gelu(self)·inputScale + inputOffset), the static mode.

    In the dynamic mode ``outScaleOptional`` = max|gelu(self)·inputScale| over a row ÷ the largest number of y's type,
    and y = round(gelu(self)·inputScale / outScaleOptional). Optional tensors that are null are 1 and 0. At −∞ the
    formula multiplies infinity by 0; its limit 0 will do too.
    """
    x = arguments.tensor("self")
    scale = (
        torch.ones(()).double() if arguments.is_null("inputScaleOptional") else arguments.tensor("inputScaleOptional")
    )
    value = gelu(x, arguments.word("approximate")) * scale
    limit = torch.where(x == -torch.inf, x.new_zeros(()), value)
    spread = (x.clamp(min=-_LOWEST) * scale).abs()
    if arguments.word("quantMode").startswith("static"):
        return _static(arguments, (value, limit), spread)
    return _dynamic(arguments, (value, limit), spread)


def gelu(x: torch.Tensor, approximate: str) -> torch.Tensor:
    """x·Φ(x), or its form with the hyperbolic tangent."""
    if approximate == "tanh":
        return x / (1 + torch.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    share: torch.Tensor = torch.special.erfc(-x / math.sqrt(2))
    return x * share / 2


def _static(arguments: Arguments, products: tuple[torch.Tensor, ...], spread: torch.Tensor) -> Answers:
    null = arguments.is_null("inputOffsetOptional")
    offset = torch.zeros(()).double() if null else arguments.tensor("inputOffsetOptional")
    readings = tuple(product + offset for product in products)
    # Where nothing is added to the offset the result is the offset itself, without an error.
    after = torch.where(products[0] == 0, readings[0] * 0, readings[0].abs() * _STEPS)
    slack = _UNIT * (_GELU_STEPS * spread + after)
    return {"y": quantised(readings, slack, arguments.dtype("y"), RoundMode(arguments.word("roundMode")))}


def _dynamic(arguments: Arguments, products: tuple[torch.Tensor, ...], spread: torch.Tensor) -> Answers:
    """In a row of zeros alone y is 0 or what 0 / 0 gives: no document says which.

    So it is in a row that float32 may take for one, as its GELU's errors are as large as the results.
    """
    largest = largest_number(arguments.dtype("y"))
    height = products[1].abs().amax(-1, keepdim=True)
    scale = height / largest
    quotient = products[1] / scale
    widest = spread.amax(-1, keepdim=True)
    lost = torch.where(height <= _UNIT * _GELU_STEPS * widest, torch.nan, quotient)
    readings = (torch.where(height == 0, products[1] * 0, quotient), quotient, lost, products[0] / scale)
    relative = _GELU_STEPS * widest / height + 2 * _STEPS
    slack = _UNIT * (_GELU_STEPS * spread / scale + quotient.abs() * relative)
    slack = torch.where(height == 0, slack * 0, slack)
    mode = RoundMode(arguments.word("roundMode"))
    return {
        "y": quantised(readings, slack, arguments.dtype("y"), mode),
        "outScaleOptional": Answer(scale.squeeze(-1), terms=(widest / largest).squeeze(-1)),
    }
