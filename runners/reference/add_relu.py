"""ReLU of a weighted sum of two tensors."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, DType, Kind, largest
from conformance.number import round_to
from conformance.promotion import promote
from runners.reference.arguments import Answer, Arguments
from runners.reference.pairs import broadcast


def rectified_sum(arguments: Arguments, name: str) -> Answer:
    """max(x + α·other, 0) of the broadcast shape, with x the tensor ``name``.

    α may be rounded to float32 or to the type that the tensors promote to, and α·other may overflow float32 before the
    sum; a NaN sum may stay or become 0. A sum that an integer type cannot hold may be anything.
    """
    x, other = broadcast(arguments.tensor(name), arguments.tensor("other"))
    own, alpha = arguments.dtype(name), arguments.number("alpha")
    common = promote(own, arguments.dtype("other")) or own
    alphas = dict.fromkeys((alpha, *(float(round_to(dtype, alpha)) for dtype in (DTYPES["float32"], common))))
    products = [alpha * other for alpha in alphas]
    products += [torch.where(one.abs() > largest(DTYPES["float32"]), one * torch.inf, one) for one in products]
    sums = [x + product for product in products]
    zero = torch.zeros_like(x)
    staying = [torch.where(total <= 0, zero, total) for total in sums]
    dropped = [torch.where(total > 0, total, zero) for total in sums]
    terms = x.abs() + (alpha * other).abs()
    free = _beyond(sums, common) if common.is_integer else None
    return Answer(staying[0], (*staying[1:], *dropped), terms=terms, term_count=2, free=free)


def _beyond(sums: list[torch.Tensor], dtype: DType) -> torch.Tensor:
    """Where some reading of the sum is no number of an integer type."""
    below = 0 if dtype.kind is Kind.UNSIGNED else 2.0 ** (dtype.bits - 1)
    above = 2.0**dtype.bits - below
    return torch.stack([(total < -below) | (total >= above) for total in sums]).any(0)


def rectified_native_sum(arguments: Arguments, name: str) -> torch.Tensor | None:
    """Torch's own sum and ReLU; None where torch does not take α beside integers."""
    x, other, alpha = arguments.native(name), arguments.native("other"), arguments.number("alpha")
    if torch.promote_types(x.dtype, other.dtype).is_floating_point:
        return torch.relu(torch.add(x, other, alpha=alpha))
    return torch.relu(torch.add(x, other, alpha=int(alpha))) if alpha.is_integer() else None
