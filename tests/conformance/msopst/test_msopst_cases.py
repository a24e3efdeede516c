"""msopst's files as they are: combinations, binding, values, expected failures, what cannot be run and why."""

import json

import numpy as np
import pytest
from msopst_samples import case, described, write_msopst

from conformance.case import Refusal, Success, Unspecified
from conformance.dtype import DTYPES
from conformance.errors import InvalidData
from conformance.foreign_files import cases_and_problems, cases_or_problem
from conformance.generate import make_call
from conformance.outcome import Phase
from conformance.product import PRODUCTS


def every(folder, *cases):
    return cases_or_problem(write_msopst(folder, *cases))


def only(folder, *inputs, **more):
    (made,) = every(folder, case(*inputs, **more))
    return made


def calls(cases):
    return [(one.arguments["self"].dtype.word, one.arguments["self"].shape) for one in cases]


def array(made, name="self"):
    return dict(make_call(made, PRODUCTS["ascend910b"], 0).tensors(written=False))[name].array()


def test_lists_are_crossed_in_the_order_format_shape_type_range_and_outputs_follow(tmp_path):
    lists = {"type": ["float16", "float"], "shape": [[3, 5], [7]]}
    made = every(tmp_path, case(described(**lists), outputs=[{"format": ["ND"], **lists}]))
    assert calls(made) == [("fp16", (3, 5)), ("fp32", (3, 5)), ("fp16", (7,)), ("fp32", (7,))]
    assert [one.arguments["out"].dtype for one in made] == [one.arguments["self"].dtype for one in made]
    assert [one.id.split(".")[3] for one in made] == [f"test_001-{n}of4" for n in (1, 2, 3, 4)]
    assert all(one.unsupported == "" for one in made)


def test_keys_of_one_cross_list_go_in_step(tmp_path):
    lists = {"type": ["float16", "float"], "shape": [[3, 5], [7]]}
    made = every(tmp_path, case(described(**lists), cross_list=[["type", "shape"]]))
    assert calls(made) == [("fp16", (3, 5)), ("fp32", (7,))]


def test_several_inputs_go_in_step(tmp_path):
    lists = {"shape": [[3, 5], [7]]}
    made = every(tmp_path, case(described("gradOutput", **lists), described("self", **lists), op="SiluBackward"))
    assert calls(made) == [("fp32", (3, 5)), ("fp32", (7,))]


@pytest.mark.parametrize(
    ("more", "shape"),
    [
        ({"shape": [3, 5]}, (3, 5)),
        ({"shape": [], "format": "ND", "type": "float"}, ()),
        ({"shape": [[]]}, ()),
        ({"shape": [[-1, 5]], "typical_shape": [[3, 5]]}, (3, 5)),
        ({"shape": [-1, 5], "typical_shape": [3, 5], "shape_range": [[1, -1]]}, (3, 5)),
        ({"format": ["NC1HWC0"], "ori_format": ["NCHW"], "ori_shape": [[2, 3, 4, 5]]}, (2, 3, 4, 5)),
        ({"name": None, "is_const": True}, (3, 5)),
    ],
)
def test_shapes_in_every_spelling(more, shape, tmp_path):
    made = only(tmp_path, described(**more))
    assert made.unsupported == ""
    assert made.arguments["self"].shape == shape


def test_inputs_are_bound_by_name_or_position_and_attributes_too(tmp_path):
    dim = {"name": "dim", "type": "int", "value": -1}
    assert only(tmp_path, described("other"), op="Softmax", attr=[dim]).arguments["dim"].value == -1
    swapped = only(tmp_path, described("self", shape=[[1, 5]]), described("grad_output"), op="SiluBackward")
    assert [swapped.arguments[name].shape for name in ("gradOutput", "self")] == [(3, 5), (1, 5)]


def test_a_type_of_data_becomes_its_number(tmp_path):
    made = only(tmp_path, described(), op="Softmax", attr=[{"name": "dim", "type": "data_type", "value": "float16"}])
    assert made.arguments["dim"].value == DTYPES["float16"].acl


def test_an_input_that_is_reserved_is_left_out(tmp_path):
    reserved = {"format": ["RESERVED"], "type": ["UNDEFINED"], "shape": [[]]}
    numbers = {"dim": -1, "alpha": 1.0, "limit": 7.0, "bias": 1.0, "interleaved": True}
    attributes = [{"name": name, "type": "float", "value": value} for name, value in numbers.items()]
    made = only(tmp_path, described("x", shape=[[3, 6]]), reserved, op="ClippedSwiglu", attr=attributes)
    assert made.unsupported == ""
    assert made.arguments["groupIndexOptional"] is None
    assert "self is null" in only(tmp_path, reserved).unsupported


@pytest.mark.parametrize(
    ("distribution", "holds"),
    [
        ("uniform", lambda a: a.min() >= 1 and a.max() <= 3),
        ("normal", lambda a: a.min() >= 1 and a.max() <= 3 and abs(a.mean() - 2) < 0.1),
        ("laplace", lambda a: a.min() >= 1 and a.max() <= 3 and abs(a.mean() - 2) < 0.1),
        ("beta", lambda a: a.min() >= 1 and a.max() <= 3 and abs(a.mean() - 2) < 0.1),
        ("triangular", lambda a: a.min() >= 1 and a.max() <= 3 and abs(a.mean() - 2) < 0.1),
        ("relu", lambda a: a.min() >= 1 and a.max() <= 3),
        ("sigmoid", lambda a: a.min() >= 0.73 and a.max() <= 0.96),
        ("tanh", lambda a: a.min() >= 0.76 and a.max() <= 0.996),
        ("softmax", lambda a: a.min() > 0 and abs(a.sum() - 1) < 1e-4),
    ],
)
def test_numbers_follow_the_distribution(distribution, holds, tmp_path):
    drawn = described(data_distribute=[distribution], value_range=[[1, 3]], shape=[[40, 40]])
    numbers = array(only(tmp_path, drawn))
    assert holds(numbers)
    assert len(np.unique(numbers)) > 100


@pytest.mark.parametrize("distribution", ["normal", "beta", "triangular", "softmax"])
def test_a_range_of_one_number_and_a_tensor_of_none_do_no_harm(distribution, tmp_path):
    one = described(data_distribute=[distribution], value_range=[[2, 2]])
    assert np.isfinite(array(only(tmp_path, one))).all()
    assert array(only(tmp_path, {**one, "shape": [[0, 4]]})).size == 0


@pytest.mark.parametrize(
    ("value", "elements"),
    [
        ([[1, 2], [3, 4]], [1, 2, 3, 4]),
        ([1, 2, 3, 4], [1, 2, 3, 4]),
        (7, [7, 7, 7, 7]),
        ([[1, "inf"], ["-inf", "nan"]], [1, np.inf, -np.inf, np.nan]),
    ],
)
def test_values_that_are_stated_are_those(value, elements, tmp_path):
    made = only(tmp_path, described(shape=[[2, 2]], value=value))
    np.testing.assert_array_equal(array(made).reshape(-1), elements)


def test_the_values_may_lie_in_a_file(tmp_path):
    np.arange(15, dtype=np.float32).tofile(tmp_path / "x.bin")
    assert array(only(tmp_path, described(value="x.bin"))).reshape(-1)[-1] == 14
    assert "is not there" in only(tmp_path, described(value="y.bin")).unsupported
    assert "holds 60 bytes" in only(tmp_path, described(value="x.bin", type=["float16"])).unsupported


def expectation_of(folder, *inputs, **more):
    made = only(folder, *inputs, expect="failed", **more)
    return made.expectation if not made.unsupported else made.unsupported


def test_a_failure_that_is_expected_is_the_refusal_that_the_document_states(tmp_path):
    wrong_type = [{"format": ["ND"], "type": ["int8"], "shape": [[3, 5]]}]
    wrong_shape = [{"format": ["ND"], "type": ["float"], "shape": [[5, 3]]}]
    refusal = Refusal(Phase.WORKSPACE, 161002)
    assert expectation_of(tmp_path, described(), outputs=wrong_type) == refusal
    assert expectation_of(tmp_path, described(), outputs=wrong_shape) == refusal
    assert expectation_of(tmp_path, described(type=["int8"])) == refusal
    assert "refusal" in only(tmp_path, described(type=["int8"]), expect="failed").facets


def test_a_failure_that_the_document_does_not_know_cannot_be_judged(tmp_path):
    assert expectation_of(tmp_path, described()) == "the file expects a failure, the document admits the call"


def test_where_the_implementation_takes_what_the_document_refuses_neither_answer_is_wrong(tmp_path):
    found = expectation_of(tmp_path, described(shape=[[1] * 9]))
    assert isinstance(found, Unspecified)
    assert (found.document, type(found.implementation)) == (Refusal(Phase.WORKSPACE, 161002), Success)


def test_success_is_expected_otherwise(tmp_path):
    assert isinstance(only(tmp_path, described(), expect="success").expectation, Success)
    assert "admits no such call" in only(tmp_path, described(type=["int8"])).unsupported


@pytest.mark.parametrize(
    ("inputs", "more", "reason"),
    [
        ([described()], {"op": "NoSuchThing"}, "no contract of aclnnNoSuchThing"),
        ([described(type="fuzz", shape="fuzz")], {"fuzz_impl": "fuzz.py:make"}, "fuzz.py:make makes inputs"),
        ([described(value="fuzz")], {}, "a script makes inputs"),
        ([described(shape=[[-1, 5]])], {}, "leaves sizes open"),
        ([described(format=["FRACTAL_NZ"])], {}, "no original shape"),
        ([described(), described("y")], {}, "neither by name nor by position"),
        ([described()], {"op": "Softmax", "attr": [{"name": "dim", "type": "list_int", "value": [1]}]}, "a list is"),
    ],
)
def test_what_cannot_be_run_is_a_case_that_says_why(inputs, more, reason, tmp_path):
    assert reason in only(tmp_path, *inputs, **more).unsupported


@pytest.mark.parametrize(
    ("broken", "pointer", "what"),
    [
        (7, "/0", "a case is int"),
        ({"op": ""}, "/0/op", "does not say which operator"),
        ({"expect": "error"}, "/0/expect", "'error' is no expectation"),
        ({"input_desc": {}}, "/0/input_desc", "not a list"),
        ({"input_desc": [7]}, "/0/input_desc/0", "an entry is int"),
        ({"input_desc": [described(type=["float33"])]}, "/0/input_desc/0/type", "unknown type 'float33'"),
        ({"input_desc": [described(shape=[["a"]])]}, "/0/input_desc/0/shape", "no shape"),
        ({"input_desc": [described(data_distribute=["gauss"])]}, "/0/input_desc/0/data_distribute", "no distribution"),
        ({"input_desc": [described(value_range=[[1, 2, 3]])]}, "/0/input_desc/0/value_range", "no range"),
        ({"input_desc": [described(value=[1, 2])]}, "/0/input_desc/0", "2 values for the shape [3, 5]"),
        ({"input_desc": [described(type=["float"] * 2), described("y", shape=[[1]] * 3)]}, "/0/input_desc", "combin"),
        ({"output_desc": [{"type": ["float"] * 2}]}, "/0/output_desc/0/type", "the first input has 1"),
        ({"input_desc": [described(type=["float"] * 200, shape=[[3, 5]] * 200)]}, "/0/input_desc/0", "40000"),
        ({"cross_list": [["type", "type"]]}, "/0/input_desc/0", "no cross_list"),
        ({"attr": [{"name": "a", "value": {}}]}, "/0/attr/0/value", "no value of an attribute"),
        ({"attr": [{"name": "a", "type": "data_type", "value": "x"}]}, "/0/attr/0/value", "unknown type 'x'"),
    ],
)
def test_a_broken_case_is_named_with_its_place_and_the_others_run(broken, pointer, what, tmp_path):
    first = {**case(described()), **broken} if isinstance(broken, dict) else broken
    cases, (problem,) = cases_and_problems(write_msopst(tmp_path, first, case(described(), case_name="good")))
    assert [one.group for one in cases] == ["good"]
    assert problem.where.pointer == pointer if pointer in ("/0", "/0/op") else problem.where.pointer.startswith(pointer)
    assert what in problem.what
    assert problem.advice


def test_an_attribute_may_be_called_fuzz(tmp_path):
    attributes = [{"name": "fuzz", "type": "int", "value": -1}]
    assert only(tmp_path, described(), op="Softmax", attr=attributes).arguments["dim"].value == -1


def test_a_case_that_stands_twice_is_two_cases_with_other_data(tmp_path):
    first, again = every(tmp_path, case(described()), case(described()))
    assert first.id != again.id
    assert not np.array_equal(array(first), array(again))


def test_a_file_that_is_no_list_is_one_readable_error(tmp_path):
    path = tmp_path / "Silu_case.json"
    path.write_text(json.dumps([case(described())])[:-3])
    with pytest.raises(InvalidData, match="malformed JSON") as error:
        cases_or_problem(path)
    assert len(error.value.problems) == 1


OPEN = {"shape": [[-1, 8]], "typical_shape": [[3, 8]]}


@pytest.mark.parametrize("shape", [[-1, 8], [3, -1], [-1, -1], [-2]])
def test_open_sizes_of_an_output_follow_from_its_inputs(shape, tmp_path):
    made = only(tmp_path, described(**OPEN), outputs=[{"format": ["ND"], "type": ["float"], "shape": [shape]}])
    assert (made.unsupported, made.arguments["out"].shape) == ("", (3, 8))


@pytest.mark.parametrize("shape", [[-1, 7], [-1, 8, 1]])
def test_open_sizes_are_not_filled_against_what_the_file_says(shape, tmp_path):
    made = only(tmp_path, described(**OPEN), outputs=[{"format": ["ND"], "type": ["float"], "shape": [shape]}])
    assert "leaves sizes open" in made.unsupported


@pytest.mark.parametrize("word", ["", "success", "Success", None])
def test_an_expectation_of_nothing_is_success(word, tmp_path):
    assert isinstance(only(tmp_path, described(), expect=word).expectation, Success)


@pytest.mark.parametrize("word", ["Failed", "FAILED "])
def test_words_of_expectations_are_read_in_any_case(word, tmp_path):
    assert (
        "expects a failure, the document admits" in only(tmp_path, described(), outputs=[OUT], expect=word).unsupported
    )


OUT = {"format": ["ND"], "type": ["float"], "shape": [[3, 5]]}


def test_an_empty_name_of_a_file_is_an_error_that_says_so(tmp_path):
    with pytest.raises(InvalidData, match="the name of the file with an input's data is empty"):
        every(tmp_path, case(described(value="")))


def test_a_failure_is_not_expected_of_outputs_that_the_file_does_not_state(tmp_path):
    legal = only(
        tmp_path,
        described(shape=[[3, 8]]),
        op="SwiGlu",
        attr=[{"name": "dim", "type": "int", "value": -1}],
        expect="failed",
    )
    assert legal.unsupported == "the file expects a failure, the document admits the call"
