"""Workspace regions and strided access."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.tensor import FILL_BYTE, Memory
from runners.simulator.kernel import Spec
from runners.simulator.view_copy import dense, gather, scatter
from runners.simulator.workspace import plan_workspace

FP16, FP32 = DTYPES["float16"], DTYPES["float32"]


def test_regions_start_at_multiples_of_512_bytes():
    workspace = plan_workspace({"a": Spec((129,), FP32), "b": Spec((1,), FP16), "c": Spec((256,), FP16)})
    assert [region.offset for region in workspace.regions.values()] == [0, 1024, 1536]
    assert workspace.size == 2048


def test_regions_are_arrays_over_the_memory_they_were_given():
    memory = Memory(512)
    plan_workspace({"a": Spec((2, 3), FP32)}).bind(memory)["a"][...] = 1
    assert memory.payload[:24].view(np.float32).tolist() == [1] * 6


def test_too_small_a_memory_is_refused():
    with pytest.raises(ValueError, match="512 bytes"):
        plan_workspace({"a": Spec((1000,), FP32)}).bind(Memory(512))


def test_gather_reads_through_strides_and_offset(make):
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    gathered = gather(make.every_second(values), np.zeros((2, 3), np.float32))
    np.testing.assert_array_equal(gathered, values)


def test_inputs_are_read_only(make):
    tensor = make.tensor(np.ones((2, 2), np.float32))
    for array in (dense(tensor), gather(tensor, np.zeros((2, 2), np.float32))):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 2


def test_scatter_writes_elements_and_leaves_gaps(make):
    tensor = make.every_second(np.zeros(3, np.float32))
    scatter(np.ones(3, np.float32), tensor)
    words = tensor.memory.payload.reshape(-1, 4)
    untouched = [i for i, word in enumerate(words) if (word == FILL_BYTE).all()]
    assert tensor.view().tolist() == [1, 1, 1]
    assert untouched == [0, 1, 2, 4, 6, 8]


@pytest.mark.parametrize("wrong", [np.ones(4, np.float32), np.ones(3, np.float16), np.float32(1).reshape(())])
def test_scatter_converts_neither_shape_nor_dtype(make, wrong):
    with pytest.raises(ValueError, match="view copy"):
        scatter(wrong, make.tensor(np.zeros(3, np.float32)))
