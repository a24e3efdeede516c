"""Numbers as the compiled loops see them: as bit patterns of float64, and rounded to a type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from conformance.compiled import compiled
from conformance.rounding import FLOAT64_EXPONENT

SIZE = np.int64(2**63 - 1)
"""What of a pattern is not the sign."""
_EXPONENT = np.int64(FLOAT64_EXPONENT)


@compiled
def pattern_of(number):  # type: ignore[no-untyped-def]
    """A number's bit pattern."""
    return np.float64(number).view(np.int64)


@compiled
def number_of(pattern):  # type: ignore[no-untyped-def]
    """The number of a bit pattern."""
    return np.int64(pattern).view(np.float64)


def nearest_of(raw: Any, golden: Any, form: Any) -> Any:
    """A golden rounded to the type that outputs come in; of those only the type is looked at."""


@overload(nearest_of)
def _nearest_of_type(raw, golden, form):  # type: ignore[no-untyped-def]
    return _nearest_single if raw.dtype == types.float32 else _nearest_by_magic


def _nearest_single(raw, golden, form):  # type: ignore[no-untyped-def]
    return np.float64(np.float32(golden))


def _nearest_by_magic(raw, golden, form):  # type: ignore[no-untyped-def]
    magic = power_of(golden, form) * form.magic
    near = (abs(golden) + magic) - magic
    return number_of(pattern_of(near) | (pattern_of(golden) & ~SIZE))


@compiled
def power_of(number, form):  # type: ignore[no-untyped-def]
    """The power of two that a number of the type begins with."""
    return max(number_of(pattern_of(number) & _EXPONENT), form.smallest_normal)


def rank_of(raw: Any, number: Any, form: Any) -> Any:
    """Place of the magnitude of a number of the type that outputs come in among all such, counted from 0 on."""


@overload(rank_of)
def _rank_of_type(raw, number, form):  # type: ignore[no-untyped-def]
    return _rank_of_single if raw.dtype == types.float32 else _rank_by_scaling


def _rank_of_single(raw, number, form):  # type: ignore[no-untyped-def]
    return np.int32(np.float32(abs(number)).view(np.int32))


def _rank_by_scaling(raw, number, form):  # type: ignore[no-untyped-def]
    return pattern_of(abs(number) * form.down) >> form.shift
