"""Real numbers rounded into types of few numbers by a stated rule; near a tie both neighbours are admissible."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache

import numpy as np
import torch

from conformance.dtype import DType
from conformance.rounding import float_format
from conformance.tensor import Array
from runners.reference.arguments import Answer


class RoundMode(Enum):
    """How a number between two of a type becomes one of them, by the word that documents use."""

    RINT = "rint"
    """The nearer one; halfway the even one."""
    ROUND = "round"
    """The nearer one; halfway the one further from zero."""
    HYBRID = "hybrid"
    """Either: documents do not say when it rounds by chance."""


@cache
def finite_numbers(dtype: DType) -> Array:
    """Every finite number of a type of up to 8 bits, ascending; ±0 once."""
    if dtype.codes is not None:
        numbers = dtype.codes.numbers.astype(np.float64)
    else:
        assert dtype.numpy is not None
        numbers = np.arange(256, dtype=np.uint8).view(dtype.numpy).astype(np.float64)
    return np.unique(numbers[np.isfinite(numbers)] + 0.0)


def largest_number(dtype: DType) -> float:
    """Largest finite number of a type of up to 8 bits."""
    return float(finite_numbers(dtype)[-1])


def quantised(readings: Sequence[torch.Tensor], slack: torch.Tensor, dtype: DType, mode: RoundMode) -> Answer:
    """Answer of numbers of ``dtype``, one for each real number; ``slack`` is how far arithmetic may be off.

    ``readings`` are the admissible real answers, the golden first. Every number between those that the rounding makes
    of real ± slack is admissible too. Beyond the largest number the answer is that number, and for a floating-point
    type also infinity, or NaN in a type without infinities: documents do not say which.
    """
    off = torch.nan_to_num(slack, 0.0).numpy()
    answers: list[Array] = [_rounded(readings[0].numpy(), dtype, mode)]
    for real in (reading.numpy() for reading in readings):
        low, high = (_rounded(real + side, dtype, mode) for side in (-off, off))
        if mode is RoundMode.HYBRID:
            low, high = (
                _neighbours(real - off, finite_numbers(dtype))[0],
                _neighbours(real + off, finite_numbers(dtype))[1],
            )
        answers += _between(low, high, finite_numbers(dtype))
        if dtype.is_float:
            answers += [_beyond(real + side, answer, dtype) for side, answer in ((-off, low), (off, high))]
    golden, *others = map(torch.from_numpy, answers)
    return Answer(golden, tuple(others), quantised=True)


def _between(low: Array, high: Array, numbers: Array) -> list[Array]:
    """Arrays that go from ``low`` to ``high`` number by number and stay there."""
    first, last = (np.searchsorted(numbers, np.nan_to_num(end)) for end in (low, high))
    most = int((last - first).max(initial=0))
    inner = [numbers[np.minimum(first + step, last)] for step in range(1, most)]
    return [low, *(np.where(np.isnan(low), low, one) for one in inner), high]


def _neighbours(values: Array, numbers: Array) -> tuple[Array, Array]:
    """Largest number not above, and smallest not below each value; the ends of the type beyond it, NaN for NaN."""
    held = np.clip(np.nan_to_num(values, posinf=np.inf, neginf=-np.inf), numbers[0], numbers[-1])
    below = numbers[np.searchsorted(numbers, held, side="right") - 1]
    above = numbers[np.searchsorted(numbers, held, side="left")]
    return np.where(np.isnan(values), values, below), np.where(np.isnan(values), values, above)


def _rounded(values: Array, dtype: DType, mode: RoundMode) -> Array:
    """The nearer neighbour; NaN is 0 in an integer type."""
    numbers = finite_numbers(dtype)
    below, above = _neighbours(values, numbers)
    held = np.clip(values, numbers[0], numbers[-1])
    gap_below, gap_above = held - below, above - held
    up = gap_above < gap_below
    if mode is RoundMode.RINT:
        ordinal = np.searchsorted(numbers, np.nan_to_num(above)) - int(np.searchsorted(numbers, 0.0))
        up |= (gap_above == gap_below) & (ordinal % 2 == 0)
    else:
        up |= (gap_above == gap_below) & (above > 0)
    nearer: Array = np.where(up, above, below)
    return nearer if dtype.is_float else np.where(np.isnan(values), 0.0, nearer)


def _beyond(values: Array, rounded: Array, dtype: DType) -> Array:
    """Infinity or NaN instead where a value lies more than half a step beyond the largest number."""
    numbers = finite_numbers(dtype)
    edge = numbers[-1] + (numbers[-1] - numbers[-2]) / 2
    if dtype.codes is not None and dtype.codes.overflow is not None:
        edge = dtype.codes.overflow
    form = float_format(dtype)
    has_infinity = form.infinity > form.largest
    lost = np.copysign(np.inf, values) if has_infinity else np.full(values.shape, np.nan)
    return np.where(np.abs(values) >= edge, lost, rounded)
