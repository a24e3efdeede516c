"""Cases that are begun together: many small ones, so that each step of theirs follows itself; a large one alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conformance.case import Case
from conformance.errors import ConformanceError
from conformance.select import bytes_of

_MOST = 32
"""Cases begun together; more are no quicker, and take memory."""
_LIGHT = 1 << 14
"""Bytes of the tensors of a case that is begun together with others, at most."""


def batches(cases: Iterable[Case]) -> Iterator[list[Case]]:
    """Cases in their order; those before one that cannot be had come before its error."""
    batch: list[Case] = []
    try:
        for case in cases:
            heavy = bytes_of(case) > _LIGHT
            if batch and (heavy or len(batch) == _MOST):
                yield batch
                batch = []
            batch.append(case)
            if heavy:
                yield batch
                batch = []
    except ConformanceError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
