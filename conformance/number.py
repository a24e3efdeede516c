"""Numbers in case files: JSON numbers and the strings for what JSON cannot write, rounded to element types."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.dtype import DType, Kind
from conformance.rounding import rounded

_WORDS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "-0.0": -0.0}


def parse_number(written: Any) -> int | float | bool:
    """Number that a case file writes; raises ValueError for anything else."""
    if isinstance(written, (bool, int, float)):
        return written
    if isinstance(written, str) and written in _WORDS:
        return _WORDS[written]
    raise ValueError(f'{written!r} is no number; write a JSON number, "nan", "inf", "-inf" or "-0.0"')


def write_number(number: float) -> float | str:
    """A number as strict JSON holds it."""
    for word, value in _WORDS.items():
        if str(number) == str(value):
            return word
    return number


def round_to(dtype: DType, number: int | float | bool) -> int | float | bool:
    """The number as an element of ``dtype`` holds it: round to nearest even, bool as 0 or 1."""
    if dtype.numpy is None or dtype.kind is Kind.COMPLEX:
        return number
    if dtype.is_float:
        with np.errstate(all="ignore"):
            return float(rounded(np.array([number], np.float64), dtype)[0])
    return bool(number) if dtype.kind is Kind.BOOL else int(number)
