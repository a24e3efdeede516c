"""Chooses among admissible answers: for each element of an output the one nearest to it; earlier ones win ties."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformance.differences import Differences, badness, float_differences, joined
from conformance.dtype import DType
from conformance.rounding import FloatFormat, rounded
from conformance.sides import Sides
from conformance.tensor import Array

_AT_ONCE = 1 << 16
"""Answers looked at together, at most, so that many of them to many elements take no more memory."""


class Chosen(NamedTuple):
    """The nearest answers to some elements, as they are and rounded, and how the elements differ from them.

    ``flushed`` are the elements that only flushed operands explain, ``flushed_exactly`` those of them that are such
    answers bit for bit.
    """

    golden: Array
    target: Array
    differences: Differences
    flushed: int
    flushed_exactly: int


def choose(sides: Sides, where: Array, output: Array, dtype: DType, form: FloatFormat) -> Chosen:
    """The nearest of all answers to the elements at flat indices, of which there are some."""
    answers = 1 + len(sides.alternatives) + len(sides.flushing)
    step = max(1, _AT_ONCE // answers)
    starts = range(0, len(where), step)
    parts = [_choose(sides, where[at : at + step], output[at : at + step], dtype, form) for at in starts]
    if len(parts) == 1:
        return parts[0]
    golden, target, differences, flushed, flushed_exactly = zip(*parts, strict=True)
    values = np.concatenate(golden), np.concatenate(target), joined(differences)
    return Chosen(*values, sum(flushed), sum(flushed_exactly))


def _choose(sides: Sides, where: Array, output: Array, dtype: DType, form: FloatFormat) -> Chosen:
    answers = (sides.golden, *sides.alternatives, *sides.flushing)
    golden = np.concatenate([answer[where] for answer in answers])
    target = rounded(golden, dtype)
    found = float_differences(np.tile(output, len(answers)), golden, target, form)
    bad = badness(found).reshape(len(answers), -1)
    nearest = bad.argmin(axis=0)
    flushed = nearest >= len(answers) - len(sides.flushing)
    at = nearest * len(where) + np.arange(len(where))
    exactly = flushed & (bad.reshape(-1)[at] == 0)
    counts = int(np.count_nonzero(flushed)), int(np.count_nonzero(exactly))
    return Chosen(golden[at], target[at], found.at(at), *counts)
