"""Cases become calls with data in guarded memory; the data depends on id and seed alone."""

import numpy as np
import pytest
from msgspec import structs
from tiny import cases_of, with_arguments

from conformance.case import ValueSpec
from conformance.errors import BrokenCase
from conformance.generate import make_call
from conformance.product import PRODUCTS
from conformance.tensor import FILL_BYTE, INPUT_GAP_BYTE

A2 = PRODUCTS["ascend910b"]


def call(tmp_path, **arguments):
    return make_call(cases_of(tmp_path, with_arguments(**arguments))[0], A2)


def x(**keys):
    return {"x": {"dtype": "float32", "shape": [2, 3], **keys}}


def test_data_is_the_same_for_the_same_id_and_seed(tmp_path):
    (case,) = cases_of(tmp_path, with_arguments())
    one, again, other = (make_call(case, A2, seed).arguments["x"].array() for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).any()


def test_outputs_hold_the_pattern_and_gaps_of_inputs_nan(tmp_path):
    made = call(tmp_path, **x(layout={"step": 2}))
    assert (made.arguments["y"].memory.payload == FILL_BYTE).all()
    storage = made.arguments["x"].memory.payload.view(np.float32)
    assert np.isnan(storage[1::2]).all()
    assert np.isfinite(storage[::2]).all()
    assert INPUT_GAP_BYTE == 0xFF


def test_an_alias_is_the_same_tensor(tmp_path):
    made = call(tmp_path, y={"alias": "x"})
    assert made.arguments["y"] is made.arguments["x"]
    assert list(made.arguments) == ["x", "factor", "axis", "y"]


def test_null_out_pointers_are_null_in_phase_1(tmp_path):
    made = call(tmp_path, executor=None, x=None)
    assert [str(step) for step in made.steps] == ["workspace with null executor", "run"]
    assert made.arguments["x"] is None


@pytest.mark.parametrize(
    ("axes", "values", "expected"),
    [
        ([0], {"list": [1, 2, 3]}, [[1, 2, 3]] * 2),
        ([1], {"list": [1, 2]}, [[1] * 3, [2] * 3]),
        ([0, 1], {"constant": 7}, [[7] * 3] * 2),
        ([0], {"cycle": [1, 2, 3, 4, 5]}, [[1, 2, 3]] * 2),
    ],
)
def test_an_expanded_axis_has_one_value_along_it(axes, values, expected, tmp_path):
    made = call(tmp_path, **x(layout={"expanded": axes}, values=values))
    assert made.arguments["x"].array().tolist() == expected


@pytest.mark.parametrize(
    ("dtype", "values", "held"),
    [
        ("int8", {"list": [300, -300, "nan", 2.5, -0.5, 1]}, [127, -128, 0, 2, 0, 1]),
        ("bool", {"list": [0, 2, 1, 0, 0, 1]}, [False, True, True, False, False, True]),
        ("float16", {"list": [0.1, 70000, 1e-9, -2, "inf", 0]}, [0.0999755859375, np.inf, 0, -2, np.inf, 0]),
    ],
)
def test_numbers_are_rounded_and_clamped_to_the_type(dtype, values, held, tmp_path):
    made = call(tmp_path, x={"dtype": dtype, "shape": [6], "values": values})
    assert made.arguments["x"].array().tolist() == held


@pytest.mark.parametrize("changes", [{"shape": [0, 3]}, {"dtype": "complex32"}, {"dtype": "int4"}])
def test_tensors_that_cannot_be_filled_keep_the_gap_byte(changes, tmp_path):
    tensor = call(tmp_path, **x(**changes)).arguments["x"]
    assert (tensor.memory.payload == INPUT_GAP_BYTE).all()


def test_values_that_do_not_fit_break_the_case(tmp_path):
    (case,) = cases_of(tmp_path, with_arguments())
    wrong = structs.replace(case.arguments["x"], values=ValueSpec("list", [1]))
    with pytest.raises(BrokenCase, match="x: a list of 1 values for 6 elements"):
        make_call(structs.replace(case, arguments={**case.arguments, "x": wrong}), A2)
