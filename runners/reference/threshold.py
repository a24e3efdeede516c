"""Shrinking: which elements lie outside [−λ, λ], and which of them that depends on how λ is held."""

from __future__ import annotations

import torch

from conformance.dtype import DType
from conformance.number import round_to
from runners.reference.arguments import Answer
from runners.reference.held import held


def shrunk(kept: torch.Tensor, x: torch.Tensor, lambd: float, dtype: DType) -> Answer:
    """``kept`` where |x| > λ, else 0; a negative λ counts as 0.

    Alternatives: λ rounded to ``dtype``, the type compared in, may turn an element's answer; a NaN x (or λ)
    satisfies neither |x| > λ, by which documents keep, nor |x| <= λ, by which implementations drop.
    """
    limit = 0.0 if lambd < 0 else lambd
    size, zero = x.abs(), torch.zeros_like(kept)
    limits = dict.fromkeys((limit, float(round_to(dtype, limit))))
    dropping = [torch.where(size <= bound, zero, kept) for bound in limits]
    keeping = [torch.where(size > bound, kept, zero) for bound in limits]
    return Answer(dropping[0], (*dropping[1:], *keeping), selects=True)


def moved(x: torch.Tensor, lambd: float, bias: float, dtype: DType) -> Answer:
    """X − bias above λ, x + bias below −λ, else 0; a NaN x meets neither condition and may stay.

    Alternatives: λ and bias, each in every type that may hold it.
    """
    dropping = [
        torch.where(x > limit, x - shift, torch.where(x < -limit, x + shift, torch.zeros_like(x)))
        for limit in held(lambd, dtype)
        for shift in held(bias, dtype)
    ]
    keeping = [torch.where(x.isnan(), x, value) for value in dropping]
    return Answer(dropping[0], (*dropping[1:], *keeping))
