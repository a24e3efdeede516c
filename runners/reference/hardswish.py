"""Gradient of hard swish, whose two documents differ in which branch ±3 belong to."""

from __future__ import annotations

import torch

from runners.reference.arguments import Answer


def slanted(g: torch.Tensor, x: torch.Tensor, inside: torch.Tensor) -> Answer:
    """g·(x/3 + 1/2) ``inside``, g above that and for NaN, 0 below.

    A NaN x lies on no branch, so that NaN will do. A gradient that is infinite or NaN may be multiplied by the
    derivative 0, which is NaN, or be left out.
    """
    derivative = torch.where(inside, x / 3 + 0.5, torch.where(x < 0, torch.zeros_like(x), torch.ones_like(x)))
    size = torch.where(inside, x.abs() / 3 + 0.5, derivative)
    product = g * derivative
    selected = torch.where(derivative == 0, torch.zeros_like(g), product)
    unknown = torch.where(x.isnan(), x, product)
    return Answer(product, (selected, unknown), terms=g.abs() * size, term_count=2)
