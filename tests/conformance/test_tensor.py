"""Tensors over guarded memory: views, strides, guard bytes."""

import pickle

import numpy as np
import pytest
from msgspec import structs

from conformance.dtype import DTYPES
from conformance.tensor import (
    FILL_BYTE,
    GUARD_BYTES,
    Format,
    Memory,
    Tensor,
    contiguous_strides,
    distinct_shape,
    new_tensor,
)

F32 = DTYPES["float32"]


def strided():
    """Every second column of a 2×6 storage, from its second element on."""
    return Tensor(F32, (2, 3), (6, 2), 1, (2, 6), Format.ND, Memory(48, 0))


@pytest.mark.parametrize(
    ("shape", "strides"), [((), ()), ((5,), (1,)), ((2, 3, 4), (12, 4, 1)), ((2, 0, 4), (4, 4, 1)), ((1, 1), (1, 1))]
)
def test_contiguous_strides(shape, strides):
    assert contiguous_strides(shape) == strides


def test_an_expanded_axis_has_one_distinct_index():
    assert distinct_shape((4, 2, 0), (0, 1, 0)) == (1, 2, 0)


def test_views_write_through_strides_and_offset():
    tensor = strided()
    tensor.view()[...] = [[1, 2, 3], [4, 5, 6]]
    flat = tensor.memory.payload.view(np.float32)
    assert flat.tolist() == [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]
    assert tensor.array().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert tensor.array().flags.c_contiguous
    assert tensor.view_bytes().shape == (2, 3, 4)
    assert tensor.view_bytes()[1, 2].view(np.float32) == 6


@pytest.mark.parametrize("name", [name for name, dtype in DTYPES.items() if dtype.numpy is not None])
def test_every_dtype_that_numpy_has_can_be_viewed(name):
    tensor = new_tensor(DTYPES[name], (2, 3))
    assert tensor.view().dtype == DTYPES[name].numpy
    assert (tensor.view_bytes() == FILL_BYTE).all()
    assert new_tensor(DTYPES[name], (0, 3)).view().shape == (0, 3)
    assert new_tensor(DTYPES[name], (0, 3)).view_bytes().size == 0


def test_what_numpy_cannot_view():
    with pytest.raises(ValueError, match="hifloat8 cannot be viewed with numpy"):
        new_tensor(DTYPES["hifloat8"], (2,)).view()
    assert new_tensor(DTYPES["hifloat8"], (2,)).view_bytes().shape == (2, 1)


def test_a_view_cannot_reach_beyond_its_memory():
    with pytest.raises(ValueError, match=r"(?i)buffer|strides"):
        structs.replace(strided(), offset=3).view()


@pytest.mark.parametrize(
    ("tensor", "contiguous"),
    [
        (new_tensor(F32, (2, 3)), True),
        (new_tensor(F32, ()), True),
        (strided(), False),
        (structs.replace(strided(), shape=(0, 3), offset=0), True),
        (structs.replace(strided(), shape=(1, 1)), False),
    ],
)
def test_contiguity(tensor, contiguous):
    assert tensor.is_contiguous is contiguous


@pytest.mark.parametrize(
    ("at", "fault"),
    [(GUARD_BYTES - 1, -1), (0, -GUARD_BYTES), (GUARD_BYTES + 8, 8), (2 * GUARD_BYTES + 7, GUARD_BYTES + 7)],
)
def test_a_changed_guard_byte_is_found_relative_to_the_payload(at, fault):
    memory = Memory(8)
    assert memory.guard_fault() is None
    memory.everything[at] ^= 1
    assert memory.guard_fault() == fault


def test_memory_survives_pickling_with_its_guards_and_sharing():
    memory = Memory(4, 7)
    memory.everything[-1] = 0
    one, two = pickle.loads(pickle.dumps((memory, memory)))
    assert one is two
    assert one.payload.tolist() == [7] * 4
    assert one.guard_fault() == GUARD_BYTES + 3
    one.payload[0] = 9
    assert one.everything[GUARD_BYTES] == 9


def test_foreign_memory_is_used_as_it_is_and_has_no_guards():
    payload = np.zeros(2 * GUARD_BYTES, np.uint8)
    memory = Memory.over(payload)
    memory.payload[0] = 9
    assert (int(payload[0]), memory.guard_fault()) == (9, None)
    assert pickle.loads(pickle.dumps(memory)).payload.tolist() == payload.tolist()
