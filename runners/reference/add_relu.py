"""ReLU of a weighted sum of two tensors."""

from __future__ import annotations

import torch

from conformance.dtype import DTYPES, DType, Kind, largest
from conformance.number import round_to
from conformance.promotion import promote
from runners.reference.arguments import Answer, Arguments
from runners.reference.pairs import broadcast

_UNSURE = 2.0**16
"""More than the float64 sum of an int64 and a product that is no larger than two of them is off."""


def rectified_sum(arguments: Arguments, name: str) -> Answer:
    """max(x + α·other, 0) of the broadcast shape, with x the tensor ``name``.

    α may be rounded to float32 or to the type that the tensors promote to, and α·other may overflow float32 before the
    sum; a NaN sum may stay or become 0. A sum that an integer type cannot hold may be anything.
    """
    x, other = broadcast(arguments.tensor(name), arguments.tensor("other"))
    own, alpha = arguments.dtype(name), arguments.number("alpha")
    common = promote(own, arguments.dtype("other")) or own
    whole = arguments.exact_number("alpha")
    if common.is_integer and abs(whole) < 2**63 and whole == int(whole):
        return _rectified_whole_sum(*broadcast(arguments.exact(name), arguments.exact("other")), int(whole), common)
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


def _rectified_whole_sum(x: torch.Tensor, other: torch.Tensor, alpha: int, common: DType) -> Answer:
    alphas = dict.fromkeys((alpha, int(round_to(DTYPES["float32"], alpha))))
    sums = [x + other * _signed(one) for one in alphas]
    first, *others = [torch.where(total > 0, total, torch.zeros_like(total)) for total in sums]
    free = torch.stack([_leaves(x, other, one, common) for one in alphas]).any(0)
    terms = x.double().abs() + (alpha * other.double()).abs()
    return Answer(first, tuple(others), terms=terms, term_count=2, free=free)


def _leaves(x: torch.Tensor, other: torch.Tensor, alpha: int, dtype: DType) -> torch.Tensor:
    """Where x + α·other is no number of an integer type.

    Float64 tells, but for sums near int64's limits: those leave it where their sign turns as they wrap around.
    """
    low = 0 if dtype.kind is Kind.UNSIGNED else -(2 ** (dtype.bits - 1))
    high = 2**dtype.bits + low
    total = x.double() + alpha * other.double()
    beyond = (total < low) | (total >= high)
    near = (total.abs() - 2.0**63).abs() < _UNSURE
    wrapped = x + other * _signed(alpha) < 0
    return torch.where(near, wrapped == (total > 0), beyond) if dtype.bits == 64 else beyond


def _signed(number: int) -> int:
    """The number in 64 bits."""
    return (number + 2**63) % 2**64 - 2**63


def rectified_native_sum(arguments: Arguments, name: str) -> torch.Tensor | None:
    """Torch's own sum and ReLU; None where torch does not take α beside integers."""
    x, other, alpha = arguments.native(name), arguments.native("other"), arguments.number("alpha")
    if torch.promote_types(x.dtype, other.dtype).is_floating_point:
        return torch.relu(torch.add(x, other, alpha=alpha))
    whole = arguments.exact_number("alpha") if alpha.is_integer() else None
    return None if whole is None else torch.relu(torch.add(x, other, alpha=int(whole)))
