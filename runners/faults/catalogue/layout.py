"""Faults in strides, offsets and storages, of inputs and of outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from conformance.call import Call
from conformance.outcome import Outcome
from conformance.tensor import FILL_BYTE, Tensor, contiguous_strides
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.views import (
    Place,
    dense_at_offset,
    dense_at_zero,
    is_strided,
    of_values,
    positions,
    reading,
    reading_all,
    strided_at_zero,
    writing,
)
from runners.faults.where import declares, has_inputs, only_reads
from runners.simulator.runner import SimulatorRunner

_fault = partial(Fault, FaultClass.LAYOUT)
_LARGE = 65536
"""Elements that a careless copy of strided tensors manages."""
_TILE = 16


class Afterwards(SimulatorRunner):
    """Something is done to every output that has elements once the run has succeeded."""

    def __init__(self, change: Callable[[Tensor], None]) -> None:
        super().__init__()
        self._change = change

    def run(self, call: Call) -> Outcome:
        """Run honestly, then spoil the outputs that were written."""
        before = {name: tensor.view_bytes().copy() for name, tensor in call.tensors(written=True)}
        outcome = super().run(call)
        for name, tensor in call.tensors(written=True):
            if tensor.numel and not np.array_equal(before[name], tensor.view_bytes()):
                self._change(tensor)
        return outcome


def _inner_stride_one(tensor: Tensor) -> Place:
    return (*tensor.strides[:-1], 1)[: len(tensor.shape)], tensor.offset


def _rows_packed(tensor: Tensor) -> Place:
    if not tensor.shape:
        return tensor.strides, tensor.offset
    step = tensor.strides[-1]
    return tuple(stride * step for stride in contiguous_strides(tensor.shape)), tensor.offset


def _offset_in_bytes(tensor: Tensor) -> Place:
    return tensor.strides, tensor.offset // tensor.dtype.itemsize


def _four_axes(tensor: Tensor) -> Place:
    lead = max(len(tensor.shape) - 4, 0)
    return (*contiguous_strides(tensor.shape)[:lead], *tensor.strides[lead:]), tensor.offset


def _last_stride_is_one(tensor: Tensor) -> bool:
    return not tensor.shape or tensor.strides[-1] == 1


def _first_stride_is_dense(tensor: Tensor) -> bool:
    return bool(tensor.shape) and tensor.strides[0] == contiguous_strides(tensor.shape)[0]


def _is_expanded(tensor: Tensor) -> bool:
    return any(stride == 0 and size > 1 for size, stride in zip(tensor.shape, tensor.strides, strict=True))


def _has_channels_last(tensor: Tensor) -> bool:
    if len(tensor.shape) != 4:
        return False
    _, c, h, w = tensor.shape
    return tensor.strides == (h * w * c, 1, w * c, c) and min(c, h * w) > 1


def _strides_of_the_first(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [_read_like(t, tensors[0]) if t.shape == tensors[0].shape else t for t in tensors]


def _read_like(tensor: Tensor, first: Tensor) -> Tensor:
    at = positions(tensor.shape, first.strides, first.offset)
    assert tensor.dtype.numpy is not None
    held = tensor.memory.payload[: len(tensor.memory.payload) // tensor.dtype.itemsize * tensor.dtype.itemsize]
    return of_values(tensor, held.view(tensor.dtype.numpy)[at % max(1, len(held) // tensor.dtype.itemsize)])


def _copied_in_part(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [_cut(t) if is_strided(t) and t.numel > _LARGE else t for t in tensors]


def _cut(tensor: Tensor) -> Tensor:
    values = tensor.array().reshape(-1)
    values[_LARGE:] = 0
    return of_values(tensor, values)


def _transposed_by_tiles(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [_remainder_untransposed(t) for t in tensors]


def _remainder_untransposed(tensor: Tensor) -> Tensor:
    if len(tensor.shape) != 2 or tensor.strides != (1, tensor.shape[0]) or min(tensor.shape) < 2:
        return tensor
    values = tensor.array()
    raw = np.array(tensor.view().T, order="C").reshape(tensor.shape)
    rows, columns = (size // _TILE * _TILE for size in tensor.shape)
    values[rows:, :] = raw[rows:, :]
    values[:, columns:] = raw[:, columns:]
    return of_values(tensor, values)


def _gaps_zeroed(tensor: Tensor) -> None:
    """What a dense copy over the spanned range leaves between the elements."""
    kept = tensor.array()
    at = positions(tensor.shape, tensor.strides, tensor.offset)
    size = tensor.dtype.itemsize
    tensor.memory.payload[int(at.min()) * size : (int(at.max()) + 1) * size] = 0
    tensor.view()[...] = kept


def _rows_padded(tensor: Tensor) -> None:
    """A row is written up to the next multiple of 32 bytes, as far as the storage goes."""
    if not tensor.shape or tensor.strides[-1] != 1 or len(tensor.shape) < 2:
        return
    kept = tensor.array()
    step, size = 32 // tensor.dtype.itemsize, tensor.dtype.itemsize
    row = -(-tensor.shape[-1] // step) * step
    for start in positions(tensor.shape[:-1], tensor.strides[:-1], tensor.offset).reshape(-1):
        tensor.memory.payload[int(start) * size : int(start + row) * size] = 0
    tensor.view()[...] = kept


def _not_copied_back(tensor: Tensor) -> None:
    if is_strided(tensor):
        tensor.view_bytes()[...] = FILL_BYTE


def _copied_back_in_part(tensor: Tensor) -> None:
    if is_strided(tensor) and tensor.numel > _LARGE:
        tensor.view_bytes()[-1] = FILL_BYTE


FAULTS = (
    _fault(
        "strides_ignored", EASY, "inputs are read densely from their offset on", "pytorch#124834, pytorch#98212",
        reading(dense_at_offset),
    ),
    _fault(
        "offset_ignored", EASY, "inputs are read from the start of their storage", "pytorch#101507",
        reading(strided_at_zero),
    ),
    _fault(
        "storage_taken_for_view", EASY, "inputs are the first elements of their storage", "ops-nn@dcc68ee6c",
        reading(dense_at_zero),
    ),
    _fault(
        "strides_of_first_input_ignored", MEDIUM, "the first input alone is read densely", "pytorch#175188",
        reading(dense_at_offset, only=0), has_inputs(2),
    ),
    _fault(
        "strides_of_last_input_ignored", MEDIUM, "the last input alone is read densely", "ops-nn@01026adf2",
        reading(dense_at_offset, only=-1), has_inputs(2),
    ),
    _fault(
        "offset_of_last_input_ignored", MEDIUM, "the last input alone is read from the start of its storage",
        "pytorch#187117", reading(strided_at_zero, only=-1), has_inputs(2),
    ),
    _fault(
        "strides_of_first_input_for_all", MEDIUM,
        "the strides and offset of the first input serve the others of its shape", "pytorch#175188",
        reading_all(_strides_of_the_first), has_inputs(2),
    ),
    _fault(
        "offset_of_numbers_ignored", MEDIUM, "a 0-dim input inside a storage is read from its start", "pytorch#193057",
        reading(strided_at_zero, lambda tensor: not tensor.shape), declares("rank/*/0"),
    ),
    _fault("offset_in_bytes", MEDIUM, "the offset is taken for bytes", OURS, reading(_offset_in_bytes)),
    _fault(
        "inner_stride_taken_as_one", MEDIUM, "the stride of the last axis counts as 1", OURS,
        reading(_inner_stride_one),
    ),
    _fault(
        "rows_taken_as_packed", MEDIUM, "only the stride of the last axis is used; rows follow each other", OURS,
        reading(_rows_packed),
    ),
    _fault(
        "dense_by_the_last_stride", MEDIUM, "a last stride of 1 makes a tensor dense", "ops-nn@7078f4bfa",
        reading(dense_at_offset, _last_stride_is_one),
    ),
    _fault(
        "dense_by_the_first_stride", MEDIUM, "a first stride as of a dense tensor makes it one", "opbase@dd64644",
        reading(dense_at_offset, _first_stride_is_dense),
    ),
    _fault(
        "offset_ignored_where_dense", HARD, "a tensor of dense strides is read from the start of its storage",
        "ops-nn@dcc68ee6c", reading(strided_at_zero, lambda tensor: not is_strided(tensor)),
    ),
    _fault(
        "expanded_read_as_dense", MEDIUM, "strides of 0 are not honoured: memory after the element is read",
        "flaggems#5212", reading(dense_at_offset, _is_expanded), only_reads,
    ),
    _fault(
        "four_axes_honoured", MEDIUM, "strides of all but the last four axes count as dense", OURS, reading(_four_axes),
    ),
    _fault(
        "channels_last_read_as_dense", MEDIUM, "images with the channels innermost are read as stored",
        "pytorch#175188", reading(dense_at_offset, _has_channels_last),
    ),
    _fault(
        "large_views_read_in_part", HARD, "of strided inputs the first 65536 elements are copied", "opbase@652e741",
        reading_all(_copied_in_part),
    ),
    _fault(
        "transposed_by_whole_tiles", HARD, "transposing by tiles of 16 × 16 leaves the remainder as it lay", OURS,
        reading_all(_transposed_by_tiles),
    ),
    _fault(
        "output_strides_ignored", EASY, "outputs are written densely from their offset on",
        "pytorch#124834, ops-nn@284fca020", writing(dense_at_offset),
    ),
    _fault(
        "output_offset_ignored", EASY, "outputs are written from the start of their storage", "ops-nn@7b19fba11",
        writing(strided_at_zero),
    ),
    _fault(
        "output_written_as_storage", EASY, "outputs are written densely to the start of their storage",
        "ops-nn@c74271a4c", writing(dense_at_zero),
    ),
    _fault(
        "output_rows_packed", MEDIUM, "only the stride of the last axis of an output is used", OURS,
        writing(_rows_packed),
    ),
    _fault(
        "output_dense_by_the_last_stride", MEDIUM, "a last stride of 1 makes an output dense", "ops-nn@7078f4bfa",
        writing(dense_at_offset, _last_stride_is_one),
    ),
    _fault(
        "gaps_overwritten", EASY, "what lies between the elements of an output becomes 0", "ops-nn@7b19fba11",
        lambda: Afterwards(_gaps_zeroed),
    ),
    _fault(
        "rows_padded_to_blocks", MEDIUM, "rows of an output are written up to a multiple of 32 bytes",
        "ops-nn@88776dc04", lambda: Afterwards(_rows_padded),
    ),
    _fault(
        "strided_output_not_copied_back", EASY, "the result of a strided output stays in the workspace",
        "tt-metal#57356", lambda: Afterwards(_not_copied_back),
    ),
    _fault(
        "large_output_copied_back_in_part", HARD, "the last rows of a large strided output stay in the workspace",
        "opbase@652e741", lambda: Afterwards(_copied_back_in_part),
    ),
)  # fmt: skip
"""Faults of this class."""
