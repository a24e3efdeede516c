"""How tensors are filled, kind by kind."""

from math import inf, isnan

import numpy as np
import pytest

from conformance.dtype import DTYPES
from conformance.values import (
    BLOCK,
    DRAWN,
    SPECIALS,
    VALUE_KINDS,
    InvalidValues,
    complaint_about,
    fill,
    fill_in_blocks,
    ladder,
)

F16, F32 = DTYPES["float16"], DTYPES["float32"]


def filled(kind, argument, shape=(2, 3), dtype="float32", each=1):
    random = np.random.Generator(np.random.PCG64(1))
    return fill(kind, argument, each, DTYPES[dtype], shape, int(np.prod(shape)), random)


@pytest.mark.parametrize(
    ("kind", "argument", "numbers"),
    [
        ("list", [1, 2, 3, 4, 5, "-inf"], [1, 2, 3, 4, 5, -inf]),
        ("constant", 0.5, [0.5] * 6),
        ("arange", [1, 0.5], [1, 1.5, 2, 2.5, 3, 3.5]),
        ("cycle", [1, 2, 3], [1, 2, 3, 1, 2, 3]),
        ("cycle", [1, 2], [1, 2, 1, 1, 2, 1]),
        ("specials", "zeros", [0, -0.0, 1, 0, -0.0, 1]),
    ],
)
def test_literal_kinds(kind, argument, numbers):
    assert filled(kind, argument).tolist() == numbers


def test_each_value_can_stand_several_times_in_a_row():
    assert filled("cycle", [1, 2, 3], each=2).tolist() == [1, 1, 2, 2, 3, 3]
    assert filled("list", [1, 2], (3,), each=2).tolist() == [1, 1, 2]


def test_every_lane_meets_every_value_of_an_even_cycle():
    numbers = filled("cycle", [1, 2, 3, 4], (8 * 5,))
    assert {(lane, number) for lane in range(8) for number in numbers[lane::8].tolist()} == {
        (lane, number) for lane in range(8) for number in (1, 2, 3, 4)
    }


@pytest.mark.parametrize(
    ("kind", "argument", "each"),
    [
        ("uniform", [-3, 5], 1),
        ("normal", [1, 2], 1),
        ("integers", [-9, 9], 1),
        ("constant", 7, 1),
        ("cycle", [1, 2, 3], 1),
        ("cycle", [1, 2, 3, 4], 1),
        ("cycle", list(range(BLOCK + 3)), 1),
        ("ladder", {"around": [0.5]}, 1),
        ("specials", "every", 1),
        ("uniform", [0, 1], 3),
        ("arange", [0, 0.5], 1),
    ],
)
def test_numbers_made_in_blocks_are_those_made_at_once(kind, argument, each):
    count = 2 * BLOCK + 5
    at_once, in_blocks = (
        make(kind, argument, each, F32, (count,), count, np.random.Generator(np.random.PCG64(1)))
        for make in (fill, fill_in_blocks)
    )
    assert np.concatenate(list(in_blocks)).tobytes() == at_once.tobytes()


ARGUMENTS = {
    "list": [1, 2, 3],
    "uniform": [0, 1],
    "normal": [0, 1],
    "integers": [0, 9],
    "arange": [0, 1],
    "constant": 7,
    "cycle": [1, 2, 3],
    "ladder": {"around": [0.5]},
    "specials": "every",
    "simplex": {"axis": 0},
}


@pytest.mark.parametrize("kind", VALUE_KINDS)
def test_only_the_kinds_that_are_said_to_draw_take_numbers_from_the_generator(kind):
    random = np.random.Generator(np.random.PCG64(1))
    before = random.bit_generator.state
    fill(kind, ARGUMENTS[kind], 1, F32, (3,), 3, random)
    assert (random.bit_generator.state != before) == (kind in DRAWN)


def test_uniform_numbers_are_those_of_numpy():
    theirs = np.random.Generator(np.random.PCG64(1)).uniform(-88.3, 3.7, 1000)
    assert filled("uniform", [-88.3, 3.7], (1000,)).tolist() == theirs.tolist()


@pytest.mark.parametrize(("kind", "low", "high"), [("uniform", -2, 2), ("integers", -2, 2)])
def test_random_kinds_keep_their_bounds(kind, low, high):
    numbers = filled(kind, [low, high], (1000,))
    assert low <= numbers.min() < -1
    assert 1 < numbers.max() <= high


def test_normal_numbers_have_their_mean_and_deviation():
    numbers = filled("normal", [3, 0.5], (4000,))
    assert abs(numbers.mean() - 3) < 0.05
    assert abs(numbers.std() - 0.5) < 0.05


def test_a_simplex_sums_to_one_along_its_axis():
    numbers = filled("simplex", {"axis": 0}, (4, 3)).reshape(4, 3)
    assert np.allclose(numbers.sum(axis=0), 1)
    assert (numbers > 0).all()
    assert filled("simplex", {"axis": 0}, ()).tolist() == [1]


def test_a_ladder_stands_on_the_rounded_threshold():
    assert ladder(F16, 0.5, 1) == [0.5 - 2**-12, 0.5, 0.5 + 2**-11]
    assert ladder(DTYPES["int8"], 3, 1) == [2, 3, 4]
    assert ladder(F32, 0.1, 0) == [float(np.float32(0.1))]


def test_ladders_are_mirrored_unless_told_otherwise():
    assert filled("ladder", {"around": [0.5, 0], "steps": 1}, (9,)).min() < -0.5
    assert filled("ladder", {"around": [0.5], "steps": 1, "mirror": False}, (9,)).min() > 0


@pytest.mark.parametrize(
    ("dtype", "numbers"), [("int8", [0, 1, -1, 127, -128]), ("uint8", [0, 1, 255]), ("bool", [0, 1])]
)
def test_special_values_of_types_without_nan_are_their_extremes(dtype, numbers):
    assert SPECIALS["every"](DTYPES[dtype]) == numbers


def test_special_values_of_a_float_type():
    every = SPECIALS["every"](F16)
    assert sum(map(isnan, every)) == 1
    assert {2.0**-24, -(2.0**-14), 65504.0, inf, -inf} <= set(every)
    assert SPECIALS["finite"](F16) == [number for number in every if np.isfinite(number)]
    assert len(SPECIALS["nonfinite"](F16)) == 3


@pytest.mark.parametrize(
    ("kind", "argument", "message"),
    [
        ("list", [1, 2], "a list of 2 values for 6 elements"),
        ("specials", "rare", "no special-value set 'rare'"),
        ("uniform", 3, "3 is no list of numbers"),
    ],
)
def test_values_that_do_not_fit(kind, argument, message):
    with pytest.raises(InvalidValues, match=message):
        filled(kind, argument)


def test_complaints_are_found_without_a_tensor():
    assert complaint_about("list", [], 1, F32, 1) == ""
    assert complaint_about("list", ["x"], 1, F32, 1).startswith("'x' is no number")
    assert complaint_about("simplex", {"axis": 3}, 1, F32, 2).startswith("axis 3 is out of bounds")
    assert set(VALUE_KINDS) == {"list", "uniform", "normal", "integers", "arange", "constant", "cycle", "ladder"} | {
        "specials",
        "simplex",
    }


@pytest.mark.parametrize(
    ("kind", "argument", "numbers"),
    [
        ("list", [2**53 + 1], [2**53 + 1]),
        ("cycle", [2**63 - 1, -(2**63), 1], [2**63 - 1, -(2**63), 1]),
        ("specials", "every", [0, 1, -1, 2**63 - 1, -(2**63)]),
        ("ladder", {"around": [2**53 + 1], "steps": 1, "mirror": False}, [2**53, 2**53 + 1, 2**53 + 2]),
    ],
)
def test_integers_that_float64_does_not_hold_stay_what_is_written(kind, argument, numbers):
    random = np.random.Generator(np.random.PCG64(0))
    made = fill(kind, argument, 1, DTYPES["int64"], (len(numbers),), len(numbers), random)
    assert made.tolist() == numbers
