"""Execution through a plan: the same numbers as one vector, garbage lanes and uncovered elements kept out."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from runners.simulator.pipeline import execute
from runners.simulator.tiling import CoreRange, Plan

FP32 = DTYPES["float32"]


def a_plan(cores, *, double, tile=4, lanes=8):
    elements = sum(core.count for core in cores)
    return Plan("Op", elements, FP32, tuple(cores), tile, lanes, double)


def counted(n):
    return np.arange(n, dtype=np.float32)


@pytest.mark.parametrize("double", [False, True], ids=["serial", "pipelined"])
@pytest.mark.parametrize("counts", [[1], [4], [5], [8, 8], [9, 3], [13, 13, 1]])
def test_tiles_give_what_one_vector_gives(double, counts):
    starts = np.cumsum([0, *counts])
    plan = a_plan([CoreRange(int(s), c) for s, c in zip(starts, counts, strict=False)], double=double)
    left, right = counted(plan.elements), counted(plan.elements) ** 2
    output = np.full(plan.elements, -1, np.float32)
    execute(plan, (left, right), output, lambda a, b: a - b)
    np.testing.assert_array_equal(output, left - right)


@pytest.mark.parametrize("double", [False, True], ids=["serial", "pipelined"])
def test_steps_see_whole_lanes_and_their_garbage_is_not_copied_out(double):
    seen = []

    def step(lanes):
        seen.append(lanes.copy())
        return lanes

    output = np.full(6, -1, np.float32)
    execute(a_plan([CoreRange(0, 1)], double=double), (counted(6) + 5,), output, step)
    assert [len(lanes) for lanes in seen] == [8]
    assert not np.isin(seen[0][1:], counted(6) + 5).any(), "the lanes beyond the count hold no input"
    np.testing.assert_array_equal(output, [5, -1, -1, -1, -1, -1])


def test_elements_that_a_broken_plan_leaves_out_keep_what_the_memory_held():
    output = np.full(6, -1, np.float32)
    execute(a_plan([CoreRange(0, 2), CoreRange(4, 2)], double=False), (counted(6),), output, lambda x: x)
    np.testing.assert_array_equal(output, [0, 1, -1, -1, 4, 5])


def test_a_tile_beyond_the_end_is_an_error_not_a_silent_clip():
    with pytest.raises(ValueError, match="broadcast"):
        execute(a_plan([CoreRange(4, 4)], double=False), (counted(6),), counted(6), lambda x: x)
