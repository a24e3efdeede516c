"""Which elements count as wrong, and what is kept of them."""

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.float_pass import BLOCK
from conformance.golden import GoldenOutput
from conformance.sides import lay_out
from conformance.wrong import MOST_KEPT, find_wrong

F32 = DTYPES["float32"]


def wrong_of(output, golden, dtype=F32, exact=False, **rest):
    output = np.asarray(output, dtype.numpy)
    return find_wrong(lay_out(GoldenOutput(np.asarray(golden), **rest), output, True), dtype, output.shape, exact)


@pytest.mark.parametrize(
    ("dtype", "ulps", "exact", "count"),
    [
        ("float32", [65, 3, 0], False, 1),
        ("float32", [64, 3, 0], False, 2),
        ("float32", [65, 3, 0], True, 2),
        ("bfloat16", [5, 3, 0], False, 1),
        ("bfloat16", [4, 3, 0], False, 2),
    ],
)
def test_elements_far_off_hide_near_ones(dtype, ulps, exact, count):
    golden = np.ones(3)
    output = golden + np.array(ulps) * 2.0 ** -DTYPES[dtype].mantissa
    assert wrong_of(output, golden, DTYPES[dtype], exact).count == count


def test_a_summary_over_blocks():
    golden = np.ones((3, BLOCK))
    output = golden.copy()
    output[1:, 5::10] = 9
    wrong = wrong_of(output, golden)
    assert (wrong.count, wrong.first, wrong.last) == (2 * len(range(5, BLOCK, 10)), BLOCK + 5, 3 * BLOCK - 3)
    assert wrong.spans == ((1, 2), (5, BLOCK - 3))
    assert (wrong.kept == np.flatnonzero(output == 9)).all()


def test_a_common_distance_is_found_across_blocks():
    output = np.ones(2 * BLOCK)
    output[3::12] = 9
    wrong = wrong_of(output, np.ones(2 * BLOCK))
    assert wrong.stride == 12
    assert [lanes.sum() for lanes in wrong.lanes[:4]] == [1, 1, 2, 4]


def test_few_indices_are_kept_evenly_spaced():
    size = 10 * MOST_KEPT + 7
    wrong = wrong_of(np.full(size, 9), np.ones(size))
    assert wrong.count == size
    assert MOST_KEPT // 2 <= len(wrong.kept) <= MOST_KEPT
    assert set(np.diff(wrong.kept)) == {16}


def test_the_step_of_sums_is_that_of_their_terms():
    terms = {"terms": np.full(4, 1e6), "term_count": 2}
    assert wrong_of([1, 1, 1, 1.01], np.ones(4)).cutoff == 64
    assert wrong_of([1, 1, 1, 1.01], np.ones(4), **terms).cutoff == 0
    assert wrong_of([1, 1, 1, 1.1], np.ones(4), **terms).cutoff == 0.5
