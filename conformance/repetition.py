"""The same call again, with the same data in other memory: a deterministic API answers the same, bit for bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from conformance.call import Call
from conformance.outcome import Completed, Outcome, Rejected, located

_FIRST = 1


def repeat(times: int, first: Call, make: Callable[[], Call], run: Callable[[Call], Outcome]) -> Outcome | str:
    """Run a call until it has been made ``times`` times, ``first`` included.

    The outcome of the first that did not return; else what differs from the first, in one clause; "" when nothing does.
    """
    for number in range(_FIRST + 1, times + 1):
        again = make()
        outcome = run(again)
        if not isinstance(outcome, (Completed, Rejected)):
            return located(outcome, f"in run {number} of {times}")
        if isinstance(outcome, Rejected):
            return f"run {number} of {times} with the same data was {outcome}"
        different = _different(first, again)
        if different:
            return f"{different} differ between run 1 and run {number} of {times} with the same data"
    return ""


def _different(first: Call, again: Call) -> str:
    """How many elements of which outputs hold other bits."""
    found = []
    for (name, one), (_, other) in zip(first.tensors(written=True), again.tensors(written=True), strict=True):
        if not one.dtype.bits % 8:
            unequal = (one.view_bytes() != other.view_bytes()).any(axis=-1)
            found += [f"{np.count_nonzero(unequal)} elements of {name}"] if unequal.any() else []
    return ", ".join(found)
