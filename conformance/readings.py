"""Whether one reading of a silent document explains an output: elements of the same kinds of inputs are answered alike.

Where the admissible answers of an element are NaN and a number, an implementation may give either; one that gives NaN
in some lanes and a number in others follows no reading. Kinds of a number are NaN, either infinity, zero, and finite of
either sign, so that an implementation may still treat, say, the two infinities differently. What flushing makes of
subnormal operands is no reading. Where an input has two elements for each of the output, or one for two, as where a
tensor is split into halves, it is not known which belong together, and nothing is counted.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.sides import Sides
from conformance.tensor import Array, Shape

_KINDS = 6
_NOWHERE = np.empty(0, np.intp)


def open_places(sides: Sides) -> Array:
    """Flat indices of elements of which NaN is admissible, and a number too."""
    if sides.parts != 1 or sides.output.dtype.kind in "iub" or not sides.alternatives:
        return _NOWHERE
    missing = np.isnan(sides.golden)
    open_ = np.zeros(len(sides.golden), np.bool_)
    for answer in sides.alternatives:
        open_ |= np.isnan(answer) != missing
    return np.flatnonzero(open_)


def count_mixed(at: Array, output: Array, inputs: Mapping[str, Array]) -> int:
    """Elements in the minority where equal kinds of inputs are answered by NaN and by a number, both admissible.

    ``at`` are the open places, of which there are some.
    """
    shape, size = output.shape, output.size
    if any(array.size in (2 * size, size / 2) for array in inputs.values()):
        return 0
    group = np.zeros(len(at), np.int64)
    for array in inputs.values():
        kinds = _kinds_at(array, shape, at)
        group = group if kinds is None else np.unique(group * _KINDS + kinds, return_inverse=True)[1].reshape(-1)
    answers = output.reshape(-1)[at]
    is_nan = answers != answers
    of_each = np.bincount(group), np.bincount(group[is_nan], minlength=int(group.max()) + 1)
    return int(np.minimum(of_each[1], of_each[0] - of_each[1]).sum())


def _kinds_at(array: Array, shape: Shape, at: Array) -> Array | None:
    """Kind of the input's element beside each of these elements of the output; None where shapes do not broadcast."""
    try:
        spread = np.broadcast_to(array, shape)
    except ValueError:
        return None
    with np.errstate(invalid="ignore"):
        # Of a 0-dim array no element can be taken by index.
        numbers = (spread[np.unravel_index(at, shape)] if shape else spread.reshape(1)).astype(np.float64)
    kinds = np.where(np.signbit(numbers), 1, 0) + np.where(np.isinf(numbers), 2, 0)
    return np.asarray(np.where(np.isnan(numbers), 4, np.where(numbers == 0, 5, kinds)))
