"""The same call again, with the same data in other memory: a deterministic API answers the same, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from conformance.call import Call
from conformance.outcome import Completed, Outcome, Rejected, located
from conformance.tensor import Array, Tensor

_FIRST = 1
_WIDEST = 8


def repeat(times: int, first: Call, others: Iterable[Call], run: Callable[[Call], Outcome]) -> Outcome | str:
    """Run copies of a call, which with the ``first`` are ``times``.

    The outcome of the first that did not return; else what differs from the first, in one clause; "" when nothing does.
    """
    for number, again in enumerate(others, _FIRST + 1):
        outcome = run(again)
        if not isinstance(outcome, (Completed, Rejected)):
            return located(outcome, f"in run {number} of {times}")
        if isinstance(outcome, Rejected):
            return f"run {number} of {times} with the same data was {outcome}"
        different = _different(first, again)
        if different:
            return f"{different} differ between run 1 and run {number} of {times} with the same data"
    return ""


def alike(call: Call, earlier: Call) -> frozenset[str]:
    """Outputs that hold the same bits after both calls, elements as many and as wide."""
    before = dict(earlier.tensors(written=True))
    return frozenset(
        name for name, tensor in call.tensors(written=True) if name in before and _same_bits(tensor, before[name])
    )


def _same_bits(one: Tensor, other: Tensor) -> bool:
    """Whether both hold the same elements bit for bit; False of types narrower than a byte."""
    wide = not (one.dtype.bits % 8 or other.dtype.bits % 8)
    return wide and np.array_equal(one.view_bytes(), other.view_bytes())


def _words(tensor: Tensor) -> Array:
    """Elements as unsigned integers, as wide as there are; the last axis counts those of one element."""
    size = tensor.dtype.itemsize
    words: Array = tensor.view_bytes().view(f"u{min(size, _WIDEST)}")
    return words


def _different(first: Call, again: Call) -> str:
    """How many elements of which outputs hold other bits."""
    found = []
    for (name, one), (_, other) in zip(first.tensors(written=True), again.tensors(written=True), strict=True):
        if not one.dtype.bits % 8:
            unequal = (_words(one) != _words(other)).any(axis=-1)
            found += [f"{np.count_nonzero(unequal)} elements of {name}"] if unequal.any() else []
    return ", ".join(found)
