"""ATK files as they are: forms of inputs, binding, outputs, what cannot be run and why."""

import json

import pytest
from atk_samples import attribute, case, tensor, write_atk

from conformance.errors import InvalidData
from conformance.foreign.file_options import FileOptions
from conformance.foreign_files import cases_and_problems, cases_or_problem
from conformance.tensor import Format


def only(folder, *inputs, api="Silu", **more):
    (made,) = cases_or_problem(write_atk(folder, case(7, *inputs, api=api, **more), api=api.removeprefix("aclnn")))
    return made


def outline(argument):
    return argument.dtype.word, argument.shape


@pytest.mark.parametrize(
    ("api", "inputs", "outputs"),
    [
        ("Silu", [tensor()], {"out": ("fp32", (3, 5))}),
        ("aclnnSilu", [tensor(name=None, dtype="bf16")], {"out": ("bf16", (3, 5))}),
        ("SiluBackward", [tensor("grad_output"), tensor("self")], {"gradInput": ("fp32", (3, 5))}),
        ("SiluBackward", [tensor("self"), tensor("gradOutput")], {"gradInput": ("fp32", (3, 5))}),
        ("LeakyRelu", [tensor("x"), attribute("slope", 0.1, "float", "scalar")], {"out": ("fp32", (3, 5))}),
        ("Softmax", [tensor(), attribute("dim", -1, "int64_t")], {"out": ("fp32", (3, 5))}),
        ("Glu", [tensor(shape=(3, 6)), attribute("dim", -1)], {"out": ("fp32", (3, 3))}),
        ("Glu", [tensor(shape=(4, 5)), attribute("dim", 0)], {"out": ("fp32", (2, 5))}),
        ("Relu", [tensor(), attribute("format", "ND", "non_param")], {"out": ("fp32", (3, 5))}),
    ],
)
def test_inputs_are_bound_by_name_or_position_and_the_contract_gives_the_outputs(api, inputs, outputs, tmp_path):
    made = only(tmp_path, *inputs, api=api)
    assert made.unsupported == ""
    assert {name: outline(made.arguments[name]) for name in made.contract.outputs} == outputs


def test_names_that_agree_win_over_the_order(tmp_path):
    made = only(tmp_path, tensor("self", (1, 5)), tensor("gradOutput", (3, 5)), api="SiluBackward")
    assert [made.arguments[name].shape for name in ("gradOutput", "self")] == [(3, 5), (1, 5)]
    assert made.products == {"ascend950"}


@pytest.mark.parametrize("where", ["key", "list", "attribute"])
def test_a_format_is_taken_from_wherever_it_stands(where, tmp_path):
    shape = (2, 3, 4, 5)
    given = {
        "key": [tensor(shape=shape, format="NCHW")],
        "list": [tensor(shape=shape, formate=["NCHW"])],
        "attribute": [tensor(shape=shape), attribute("format", "NCHW", "non_param")],
    }
    assert only(tmp_path, *given[where]).arguments["self"].format is Format.NCHW


@pytest.mark.parametrize(
    ("api", "inputs", "reason"),
    [
        ("NoSuchThing", [tensor()], "no contract of aclnnNoSuchThing"),
        ("Silu", [tensor(), tensor("other")], "neither by name nor by position"),
        ("Silu", [[tensor(type="tensors"), tensor(type="tensors")]], "a list of tensors"),
        ("Silu", [attribute("self", 1.0, "fp32", "scalar")], "is of kind tensor"),
        ("Silu", [tensor(dtype="int8")], "the document admits no such call"),
        ("Softmax", [tensor(), attribute("dim", "default")], "is no pointer"),
        ("SwigluGroup", [tensor()], "groupIndexOptional"),
    ],
)
def test_what_cannot_be_run_is_a_case_that_says_why(api, inputs, reason, tmp_path):
    assert reason in only(tmp_path, *inputs, api=api).unsupported


def test_ids_have_holes_and_stay_the_same_whatever_else_is_in_the_file(tmp_path):
    first, second = cases_or_problem(write_atk(tmp_path, case(3, tensor()), case(9, tensor())))
    assert first.id.startswith("atk.silu.atk_aclnnsilu.id3.h")
    assert [one.id for one in cases_or_problem(write_atk(tmp_path, case(9, tensor())))] == [second.id]


def test_keys_that_nobody_knows_do_no_harm(tmp_path):
    made = only(tmp_path, tensor(outlier_values=None, colour="red"), note="mine", is_boundary=True, version="v2.1")
    assert made.unsupported == ""


@pytest.mark.parametrize(
    ("broken", "pointer", "what"),
    [
        ({"id": "7"}, "/0/id", "the id is '7'"),
        ({"inputs": []}, "/0/inputs", "no list of inputs"),
        ({"inputs": [{"type": "tenser"}]}, "/0/inputs/0/type", "unknown type 'tenser'"),
        ({"inputs": [tensor(dtype="fp33")]}, "/0/inputs/0/dtype", "unknown dtype 'fp33'"),
        ({"inputs": [tensor(shape=(-1,))]}, "/0/inputs/0/shape", "no shape"),
        ({"inputs": [[tensor(values=None)]]}, "/0/inputs/0/0/range_values", "None says nothing of the values"),
    ],
)
def test_a_broken_case_is_named_with_its_place_and_the_others_run(broken, pointer, what, tmp_path):
    path = write_atk(tmp_path, {**case(7, tensor()), **broken}, case(8, tensor()))
    cases, (problem,) = cases_and_problems(path)
    assert [one.group for one in cases] == ["id8"]
    assert problem.where.pointer == pointer
    assert what in problem.what
    assert problem.advice


@pytest.mark.parametrize(
    ("text", "what"), [("[", "line"), ("{}", "list of cases"), ("[]", "list of cases"), ("[" * 9000, "")]
)
def test_a_file_that_is_no_list_of_cases_is_one_readable_error(text, what, tmp_path):
    path = tmp_path / "atk_aclnnSilu.json"
    path.write_text(text)
    with pytest.raises(InvalidData) as error:
        cases_and_problems(path)
    assert len(error.value.problems) == 1


@pytest.mark.parametrize(
    ("line", "runs"),
    [
        ("input_data.kwargs['self'] = input_data.kwargs['self'].npu()", True),
        ("other = input_data.kwargs['self']", True),
        ("input_data.kwargs['self'] = torch.sort(input_data.kwargs['self'])[0]", False),
        ("a, input_data.kwargs['self'] = 1, None", False),
        ("input_data.args[0] *= 2", False),
        ("input_data.kwargs['self'][0] = 1", False),
        ("input_data.kwargs['self'].clamp_(0, 1)", False),
        ("input_data.kwargs.update(self=None)", False),
        ("input_data.kwargs['self'].max()", True),
    ],
)
def test_an_input_that_a_script_rewrites_is_not_made_up(line, runs, tmp_path):
    script = f"@register('silu_of_mine')\nclass Mine(BaseApi):\n    def f(self, input_data):\n        {line}\n"
    (tmp_path / "executor_aclnnSilu.py").write_text(script + "raise SystemExit('scripts are never run')\n")
    made = only(tmp_path, tensor(), api_type="silu_of_mine")
    assert (made.unsupported == "") is runs
    assert runs or "executor_aclnnSilu.py rewrites" in made.unsupported


def test_a_script_that_registers_the_class_of_the_call_counts_too(tmp_path):
    script = "@register('call_of_mine')\nclass Mine(AclnnBaseApi):\n    def f(self, d):\n        d.kwargs['self'] = 1\n"
    (tmp_path / "executor_aclnnSilu.py").write_text(script)
    assert "rewrites self" in only(tmp_path, tensor(), aclnn_api_type="call_of_mine").unsupported


def test_an_entry_that_expects_an_error_is_not_run_as_a_success(tmp_path):
    assert "expects an error ('EZ1001" in only(tmp_path, tensor(), expected_error_msg="EZ1001 dtype").unsupported
    assert only(tmp_path, tensor(), expected_error_msg=None).unsupported == ""


def test_outliers_are_not_left_away(tmp_path):
    assert "outlier_values [0.5, 1000]" in only(tmp_path, tensor(outlier_values=[0.5, 1000])).unsupported
    assert only(tmp_path, tensor(outlier_values=None)).unsupported == ""


def test_a_rule_stands_in_for_a_script(tmp_path):
    labels = [tensor("features"), tensor("labels")]
    (tmp_path / "executor.py").write_text("register('mine')\nd.kwargs['labels'] = softmax(d)\n")
    made = only(tmp_path, *labels, api="SoftmaxCrossEntropyWithLogits", api_type="mine")
    assert made.unsupported == ""
    assert json.dumps(made.data.ruled["labels"].argument) == '{"axis": -1}'


def test_a_share_of_the_cases_lies_with_gaps_as_atk_slices_them(tmp_path):
    path = write_atk(tmp_path, *(case(number, tensor(shape=(4, 3))) for number in range(40)))
    dense, some, every = (cases_or_problem(path, FileOptions(ratio)) for ratio in (0.0, 0.5, 1.0))
    assert all(one.arguments["self"].storage_shape == (8, 3) for one in every)
    assert all(one.arguments["self"].strides == (6, 1) for one in every)
    sliced = [a for a, b in zip(dense, some, strict=True) if a.id != b.id]
    assert 10 < len(sliced) < 30
    assert "noncontiguous" in every[0].facets
