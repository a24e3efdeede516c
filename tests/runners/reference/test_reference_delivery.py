"""Which of a formula's answers a golden keeps."""

import numpy as np

from runners.reference.delivery import _distinct


def names(known, candidates, arrays):
    """Names of the arrays that are kept."""
    kept = _distinct(tuple(arrays[name] for name in known), [arrays[name] for name in candidates])
    return [next(name for name, array in arrays.items() if array is one) for one in kept]


ARRAYS = {
    "value": np.array([0.0, np.nan, 1.0]),
    "other_zero_and_nan": np.array([-0.0, -np.nan, 1.0]),
    "other": np.array([0.0, np.nan, 2.0]),
    "other_again": np.array([0.0, np.nan, 2.0]),
    "shorter": np.array([0.0, np.nan]),
}


def test_answers_of_the_same_numbers_are_one_and_the_first_is_kept():
    assert names(["value"], ["other_zero_and_nan", "other", "other_again", "shorter"], ARRAYS) == ["other", "shorter"]
    assert names(["value", "other"], ["other_zero_and_nan", "other_again"], ARRAYS) == []
    assert names(["value"], [], ARRAYS) == []


def test_a_complex_number_with_a_part_that_is_nan_is_nan():
    arrays = {"left": np.array([complex(np.nan, 3)]), "right": np.array([complex(3, np.nan)])}
    assert names(["left"], ["right"], arrays) == []
