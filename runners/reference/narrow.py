"""Intermediate results in float32, in which operators compute on types of up to 32 bits."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, largest, smallest_normal

_ONE = 2.0**-22
"""From here on a function that is a few steps off may be 1 in float32."""
_LARGEST, _NORMAL = largest(DTYPES["float32"]), smallest_normal(DTYPES["float32"])


def narrowed(x: torch.Tensor) -> torch.Tensor:
    """Results ±∞ beyond float32's largest number and 0 below its normal ones; rounding left out."""
    finite = torch.where(x.abs() > _LARGEST, torch.inf * x, x)
    return torch.where(x.abs() < _NORMAL, x * 0, finite)


def drowned(rest: torch.Tensor) -> torch.Tensor:
    """What is left of 1 less a function near 1, where float32 may have rounded the function to 1: 0."""
    return torch.where(rest < _ONE, rest * 0, rest)


def wide(x: torch.Tensor) -> torch.Tensor:
    """Elements as float32, where they have 16 bits: a formula of several operators is rounded to them once."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def products(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Product of three factors, which two of them may leave float32 on the way to."""
    return narrowed(x * y) * z, narrowed(y * z) * x, narrowed(z * x) * y
