"""What the compiled loops are given, and where they leave what they find: named tuples and records."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from conformance.tally import BIN_STARTS

_ERRORS = np.dtype([(name, "f8") for name in ("max_abs", "sum_abs", "sum_squares", "max_rel", "sum_rel")])
"""Of so many elements, as ``tally.Errors`` has them."""
_WORST = np.dtype([("scaled", "f8"), ("distance", "i8"), ("at", "i8")])
"""An element, how far it is off, and by how much when scaled by its terms."""
FOUND = np.dtype(
    [
        ("largest", "i8"),
        ("unequal", "i8"),
        ("small", "i8"),
        ("small_errors", "i8"),
        ("max_steps", "f8"),
        ("longest", "i8"),
        ("worst", _WORST),
        ("large", _ERRORS),
        ("below", _ERRORS),
        ("everything", _ERRORS),
        ("bins", "i8", len(BIN_STARTS)),
        ("farthest", _WORST),
        ("worst_scaled", _WORST),
    ]
)
"""What is found in a share: the pattern of the largest number on either side, the elements that are not the rounded
golden, those below the threshold and those of them that err, the largest error in steps, the longest distance, the
worst element, the errors of elements above and below the threshold and of all, and the elements by distance. The last
two are of the block that is looked at: its worst elements by distance and when scaled."""


class Terms(NamedTuple):
    """What errors are scaled by: the terms of each element, or none, in the type's ``unit``.

    Beyond each of the ``slacks``, in steps, and beyond ``underflow``.
    """

    of: Any
    unit: float
    underflow: float
    slacks: Any


class Format(NamedTuple):
    """A type's numbers as float64: ``magic`` times a power of two rounds to its step there, 0 rounds to nothing.

    The pattern of a magnitude that is ``down`` times as large, shifted by ``shift``, is that of the type. The 16-bit
    pattern of a magnitude, shifted by ``upward``, is that of a float32 which is ``scale`` times too small; of no number
    it becomes none or one that is too large.
    """

    magic: float
    smallest_normal: float
    epsilon: float
    down: float
    shift: int
    upward: int
    scale: float


class Limits(NamedTuple):
    """What to count beyond: a threshold, the error that is one below it, tolerances and caps, a pair of numbers each.

    No error up to ``harmless`` is beyond a tolerance or a cap.
    """

    threshold: float
    small_error: float
    tolerances: Any
    caps: Any
    harmless: float


class Scratch(NamedTuple):
    """Memory for a row: outputs as float64, both sides without what is below the threshold, distances.

    For a block: errors above and below the threshold by column, which are 0 before and after.
    """

    wide: Any
    got: Any
    want: Any
    distance: Any
    large: Any
    below: Any
