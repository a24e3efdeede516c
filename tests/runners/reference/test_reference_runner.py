import numpy as np
import pytest
import torch

from conformance.call import DEFAULT_STEPS, Action, Step
from conformance.dtype import DTYPES
from conformance.errors import BrokenReference
from conformance.outcome import Broken, Completed, Unsupported
from conformance.product import PRODUCTS
from conformance.runner import Reference, Runner
from conformance.tensor import Format, Tensor, new_tensor

WORKSPACE, RUN = DEFAULT_STEPS
REPEATABLE, REFILL = Step(Action.REPEATABLE), Step(Action.REFILL)


def prelu(tensor, out_shape=(2, 2)):
    inputs = {"self": tensor([[1, -2], [-4, 8]]), "weight": tensor([0.5, 0.25])}
    return "aclnnPrelu", inputs, {"out": tensor(np.zeros(out_shape))}


def test_it_is_a_runner_and_a_reference(runner):
    assert isinstance(runner, Runner)
    assert isinstance(runner, Reference)
    assert runner.describe().facts["torch"] == torch.__version__


@pytest.mark.parametrize("product", PRODUCTS.values(), ids=str)
def test_it_supports_what_it_has_a_formula_for(runner, product):
    assert runner.supports("aclnnSoftmaxBackward", product) is None
    assert runner.supports("aclnnNoSuchThing", product) == "the reference has no formula for aclnnNoSuchThing"


@pytest.mark.parametrize(
    "steps",
    [
        DEFAULT_STEPS,
        (WORKSPACE, REPEATABLE, RUN, REFILL, RUN),
        (WORKSPACE, RUN, REFILL, WORKSPACE, RUN),
    ],
    ids=str,
)
def test_a_run_writes_the_golden_into_the_outputs(steps, runner, call, tensor):
    made = call(*prelu(tensor), steps)
    outcome = runner.run(made)
    assert isinstance(outcome, Completed)
    assert outcome.workspace_bytes == 0
    assert [result.status for result in outcome.results] == [0] * len(steps)
    assert made.arguments["out"].array().tolist() == [[1, -0.5], [-2, 8]]


@pytest.mark.parametrize(
    "steps",
    [
        (RUN,),
        (WORKSPACE, RUN, RUN),
        (REPEATABLE, RUN),
        (WORKSPACE, REPEATABLE, RUN, WORKSPACE, RUN, RUN),
        (Step(Action.WORKSPACE, frozenset({"executor"})), RUN),
        (WORKSPACE, Step(Action.RUN, frozenset({"workspace"}))),
    ],
    ids=str,
)
def test_protocol_faults_are_unsupported_and_leave_the_outputs_alone(steps, runner, call, tensor):
    made = call(*prelu(tensor), steps)
    outcome = runner.run(made)
    assert isinstance(outcome, Unsupported)
    assert outcome.reason.startswith("the reference does not check arguments")
    assert not made.arguments["out"].array().any()


@pytest.mark.parametrize("missing", ["self", "weight", "out"])
def test_a_null_pointer_is_unsupported(missing, runner, call, tensor):
    api, inputs, outputs = prelu(tensor)
    made = call(api, {**inputs, **dict.fromkeys({missing} & set(inputs))}, outputs)
    if missing in outputs:
        made = call(api, inputs, {missing: None})
    assert runner.golden(made) == runner.run(made)
    assert runner.run(made) == Unsupported(f"the reference does not check arguments: {missing} is null")


def test_an_unknown_api_and_a_dtype_torch_lacks_are_unsupported(runner, call, tensor):
    api, inputs, outputs = prelu(tensor)
    assert isinstance(runner.run(call("aclnnNoSuchThing", inputs, outputs)), Unsupported)
    outputs = {"out": new_tensor(DTYPES["int4"], (2, 2))}
    assert runner.run(call(api, inputs, outputs)) == Unsupported("torch cannot hold out of int4")


@pytest.mark.parametrize("out_shape", [(2, 3), (4,)])
def test_a_wrong_output_shape_breaks_the_reference(out_shape, runner, call, tensor):
    made = call(*prelu(tensor, out_shape))
    with pytest.raises(BrokenReference, match=r"out: the formula gives \[2, 2\]"):
        runner.golden(made)
    assert isinstance(runner.run(made), Broken)


@pytest.mark.parametrize("weight", [[1, 2, 3], [[1, 2], [3, 4]]])
def test_arguments_that_the_formula_cannot_take_break_the_reference(weight, runner, call, tensor):
    api, inputs, outputs = prelu(tensor)
    with pytest.raises(BrokenReference, match="aclnnPrelu cannot take"):
        runner.golden(call(api, {**inputs, "weight": tensor(weight)}, outputs))


def test_complex_numbers_break_a_formula_in_real_ones(runner, call, tensor):
    api, inputs, outputs = prelu(tensor)
    made = call(api, {**inputs, "self": tensor([[1, -2j], [-4, 8]], "complex64")}, outputs)
    assert runner.run(made) == Broken("self: a formula in real numbers cannot take complex64")


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 3, 1)])
def test_an_empty_input_leaves_the_outputs_untouched(shape, runner, call, tensor):
    inputs = {"gradOutput": tensor(np.ones(shape)), "self": tensor(np.ones(shape)), "weight": tensor([7])}
    made = call("aclnnPreluBackward", inputs, {"gradInput": tensor(np.ones(shape)), "gradWeight": tensor([9])})
    assert runner.golden(made) == {}
    assert runner.benchmark(made) is None
    assert isinstance(runner.run(made), Completed)
    assert made.arguments["gradWeight"].array().tolist() == [9]


def test_strided_inputs_and_outputs_are_read_and_written_through_their_view(runner, call, tensor):
    source, target = tensor([[1, -2, 3], [-4, 5, -6]]), tensor(np.zeros((2, 4)))
    x = Tensor(source.dtype, (3, 2), (1, 3), 0, (2, 3), Format.ND, source.memory)
    out = Tensor(target.dtype, (3, 2), (1, 4), 1, (2, 4), Format.ND, target.memory)
    runner.run(call("aclnnPrelu", {"self": x, "weight": tensor([1, 0.5])}, {"out": out}))
    assert target.array().tolist() == [[0, 1, -2, 3], [0, -2, 5, -3]]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_an_output_that_aliases_the_input_gets_the_answer_for_the_input(dtype, runner, call, tensor):
    x = tensor([2, -2], dtype)
    runner.run(call("aclnnPrelu", {"self": x, "weight": tensor([0.5], dtype)}, {"out": x}))
    assert x.array().tolist() == [2, -1]


def test_a_result_is_rounded_once_to_the_output(runner, call, tensor):
    # The product, 1 + 2^-8 + 2^-28 but for its sign, would become a tie in float32 and then 1 in bfloat16.
    inputs = {"self": tensor([-1 - 2**-8 + 2**-20]), "weight": tensor([1 + 2**-20])}
    made = call("aclnnPrelu", inputs, {"out": tensor([0], "bfloat16")})
    runner.run(made)
    assert made.arguments["out"].array().tolist() == [-1 - 2**-7]


@pytest.mark.parametrize(("dtype", "expected"), [("float16", np.inf), ("bfloat16", 1e5), ("float32", 1e5)])
def test_overflow_delivers_infinity(dtype, expected, runner, call, tensor):
    made = call("aclnnSilu", {"self": tensor([1e5])}, {"out": tensor([0], dtype)})
    runner.run(made)
    assert made.arguments["out"].array().astype(float) == pytest.approx([expected], rel=2**-8)


@pytest.mark.parametrize("name", ["float64", "complex64"])
def test_a_real_result_can_be_delivered_in_a_wider_type(name, runner, call, tensor):
    made = call("aclnnSilu", {"self": tensor([0, 50])}, {"out": tensor([1, 1], name)})
    runner.run(made)
    assert made.arguments["out"].array() == pytest.approx([0, 50])


def test_integers_saturate(runner, call, tensor):
    inputs = {"gradOutput": tensor([127, -128, 20], "int8"), "result": tensor([1, 1, 1], "int8")}
    made = call("aclnnSeluBackward", inputs, {"gradInput": tensor([0, 0, 0], "int8")})
    runner.run(made)
    assert made.arguments["gradInput"].array().tolist() == [127, -128, 21]
