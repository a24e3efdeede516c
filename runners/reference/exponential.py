"""exp(z) − 1 as exponential linear units use it: how exact float32 is there, and where exp leaves its range."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, largest
from runners.reference.arguments import Answer

_FLOAT32_LARGEST = largest(DTYPES["float32"])


def exponential_branch(z: torch.Tensor, factor: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Factor · (exp(z) − 1): its value, the value where exp overflows in float32, and the size of its terms.

    As documents write it, exp(z) and 1 cancel near 0. A z rounded in float32 changes exp(z) by |z| of its steps.
    """
    power = torch.exp(z)
    value = factor * torch.expm1(z)
    overflown = torch.where(power > _FLOAT32_LARGEST, factor * torch.full_like(z, torch.inf), value)
    return value, overflown, abs(factor) * (power * (1 + z.abs() / 8) + 1)


def linear_unit(x: torch.Tensor, above: torch.Tensor, z: torch.Tensor, factor: float) -> Answer:
    """``above`` where x > 0, else factor · (exp(z) − 1); a NaN x is not above 0."""
    value, overflown, terms = exponential_branch(z, factor)
    positive = x > 0
    return Answer(
        torch.where(positive, above, value),
        (torch.where(positive, above, overflown),),
        terms=torch.where(positive, above.abs(), terms),
        term_count=2,
    )


def exact_in_float32(values: torch.Tensor) -> torch.Tensor:
    """Where float32 holds a number as it is; NaN counts as held."""
    return (values.float().double() == values) | torch.isnan(values)


def exponent_terms(value: torch.Tensor, exponent: torch.Tensor) -> torch.Tensor | None:
    """Size of ``value`` with the error of an exponent that was rounded in float32; None where none was.

    That rounding changes the exponential, and what follows from it, by as many steps as the exponent is large.
    """
    if bool(exact_in_float32(exponent).all()):
        return None
    return value.abs() * (1 + exponent.abs() / 8)
