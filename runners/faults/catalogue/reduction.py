"""Faults in sums over many elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod

import numpy as np

from conformance.dtype import DType
from conformance.tensor import Array
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import Build, with_unit
from runners.faults.units import SIXTEEN_BITS, Summing, through
from runners.faults.where import both, has_slopes, sums
from runners.simulator.arithmetic import round_to
from runners.simulator.vector_unit import VectorUnit

_fault = partial(Fault, FaultClass.REDUCTION)
_CHUNK = 512
Axes = tuple[int, ...]
Rows = Callable[[Array], Array]
"""Terms of shape (sums, terms of each) → sums."""


def _rows(total: Rows) -> Callable[[Array, Axes], Array]:
    """A way to sum rows, for any axes."""

    def summed(terms: Array, axes: Axes) -> Array:
        kept = [axis for axis in range(terms.ndim) if axis not in axes]
        length = prod(terms.shape[axis] for axis in axes)
        rows = terms.transpose([*kept, *axes]).reshape(-1, length)
        return np.asarray(total(rows)).reshape([1 if axis in axes else n for axis, n in enumerate(terms.shape)])

    return summed


def _summing(total: Rows) -> Build:
    return with_unit(lambda dtype: Summing(_rows(total)))


def _plain(rows: Array) -> Array:
    return np.asarray(np.sum(rows, 1, dtype=np.float32))


def _in_type(dtype: DType) -> VectorUnit:
    """One addition after another, each rounded to the 16-bit type of the tensors."""
    if dtype.name not in SIXTEEN_BITS:
        return VectorUnit()
    return Summing(_rows(lambda rows: np.add.accumulate(round_to(rows, dtype), 1)[:, -1]))


def _partial_sums_in_type(dtype: DType) -> VectorUnit:
    if dtype.name not in SIXTEEN_BITS:
        return VectorUnit()
    return Summing(_rows(lambda rows: np.add.accumulate(round_to(_chunked(rows), dtype), 1)[:, -1]))


def _partial_sums_in_bfloat16(rows: Array) -> Array:
    return _plain(through("bfloat16")(_chunked(rows))) if rows.shape[1] > _CHUNK else _plain(rows)


def _chunked(rows: Array) -> Array:
    """Sums of chunks."""
    padded = np.pad(rows, ((0, 0), (0, -rows.shape[1] % _CHUNK)))
    return np.asarray(padded.reshape(len(rows), -1, _CHUNK).sum(2, dtype=np.float32))


def _last_chunk_lost(rows: Array) -> Array:
    length = rows.shape[1]
    return _plain(rows[:, : length // _CHUNK * _CHUNK] if length > _CHUNK else rows)


def _ends_counted_twice(rows: Array) -> Array:
    return _plain(rows) + _plain(rows[:, _CHUNK::_CHUNK])


def _first_of_row_lost(rows: Array) -> Array:
    return _plain(rows[:, 1:] if rows.shape[1] > 1 else rows)


def _odd_one_lost(rows: Array) -> Array:
    return _plain(rows[:, :-1] if rows.shape[1] > 1 and rows.shape[1] % 2 else rows)


def _small_terms_lost(rows: Array) -> Array:
    largest = np.max(np.abs(rows), 1, keepdims=True, initial=0)
    return _plain(np.where(np.abs(rows) < largest / 256, np.float32(0), rows))


def _one_term_is_none(rows: Array) -> Array:
    return _plain(rows) if rows.shape[1] > 1 else np.zeros(len(rows), np.float32)


def _of_everything(rows: Array) -> Array:
    return np.full(len(rows), np.sum(rows, dtype=np.float32))


def _first_index_only(terms: Array, axes: Axes) -> Array:
    """Of several axes the first is not summed over: its first index stands for all."""
    kept = terms if len(axes) < 2 else np.take(terms, [0], axes[0])
    return np.asarray(np.sum(kept, axis=axes, keepdims=True, dtype=np.float32))


FAULTS = (
    _fault(
        "accumulated_in_16_bits", MEDIUM, "every addition is rounded to the 16-bit type of the tensors", "mxnet#17703",
        with_unit(_in_type), sums,
    ),
    _fault(
        "partial_sums_in_16_bits", HARD, "sums of 512 terms are added up in the 16-bit type of the tensors",
        "mxnet#17703", with_unit(_partial_sums_in_type), sums,
    ),
    _fault(
        "partial_sums_in_bfloat16", MEDIUM, "sums of 512 terms pass through bfloat16", OURS,
        _summing(_partial_sums_in_bfloat16), sums,
    ),
    _fault(
        "last_chunk_lost", MEDIUM, "terms after the last whole chunk of 512 are left out", "ops-nn@ab52a1c2e",
        _summing(_last_chunk_lost), sums,
    ),
    _fault(
        "first_16384_terms", MEDIUM, "terms after the first 16384 are left out", "ops-nn@ec486e93b",
        _summing(lambda rows: _plain(rows[:, :16384])), sums,
    ),
    _fault(
        "chunks_overlap", HARD, "the first term of every further chunk of 512 is counted twice", "ops-nn@ab52a1c2e",
        _summing(_ends_counted_twice), sums,
    ),
    _fault("first_term_lost", EASY, "the first term is left out", OURS, _summing(_first_of_row_lost), sums),
    _fault(
        "odd_term_lost", MEDIUM, "folding in halves leaves out the last term of an odd number", "ops-nn@7e4321478",
        _summing(_odd_one_lost), sums,
    ),
    _fault(
        "small_terms_lost", MEDIUM, "terms below a 256th of the largest are left out", OURS,
        _summing(_small_terms_lost), sums,
    ),
    _fault("sum_of_one_term_is_zero", MEDIUM, "a sum over one term is 0", OURS, _summing(_one_term_is_none), sums),
    _fault("sum_of_everything", EASY, "every sum runs over all elements", OURS, _summing(_of_everything), sums),
    _fault(
        "mean_for_sum", EASY, "sums are divided by their number of terms", OURS,
        _summing(lambda rows: _plain(rows) / np.float32(max(1, rows.shape[1]))), sums,
    ),
    _fault(
        "nan_left_out_of_sums", EASY, "NaN terms are left out", OURS,
        _summing(lambda rows: _plain(np.nan_to_num(rows, posinf=np.inf, neginf=-np.inf))), sums,
    ),
    _fault(
        "accumulator_not_cleared", EASY, "a sum begins with the one before it", OURS,
        _summing(lambda rows: np.cumsum(_plain(rows), dtype=np.float32)), sums,
    ),
    _fault(
        "first_sample_only", MEDIUM, "of a batch only the first sample is summed", "flaggems#5392",
        with_unit(lambda dtype: Summing(_first_index_only)), both(sums, has_slopes),
    ),
)  # fmt: skip
"""Faults of this class."""
