"""Benchmarks: torch's operators in the outputs' own precision."""

import numpy as np
import pytest

from conformance.call import Attribute, Scalar
from conformance.dtype import DTYPES
from conformance.signature import ParameterKind

LAMBD = Scalar(DTYPES["float32"], 0.5)
DIM = Attribute(ParameterKind.INT64, 1)
APIS = {
    "aclnnPrelu": (["self", "weight"], ["out"]),
    "aclnnPreluBackward": (["gradOutput", "self", "weight"], ["gradInput", "gradWeight"]),
    "aclnnSilu": (["self"], ["out"]),
    "aclnnSiluBackward": (["gradOutput", "self"], ["gradInput"]),
    "aclnnSeluBackward": (["gradOutput", "result"], ["gradInput"]),
    "aclnnSoftmaxBackward": (["gradOutput", "output", "dim"], ["out"]),
}


def make(api, dtype, tensor, call):
    names, outputs = APIS[api]
    rng = np.random.default_rng(3)
    shape = {"weight": (1, 3, 1), "gradWeight": (1, 3, 1)}
    drawn = {n: tensor(rng.normal(size=shape.get(n, (4, 3, 5))), dtype) for n in (*names, *outputs)}
    inputs = {name: DIM if name == "dim" else drawn[name] for name in names}
    return call(api, inputs, {name: drawn[name] for name in outputs})


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("api", APIS)
def test_a_benchmark_is_near_the_golden_in_the_outputs_dtype(api, dtype, runner, call, tensor):
    made = make(api, dtype, tensor, call)
    golden, benchmark = runner.golden(made), runner.benchmark(made)
    assert benchmark.keys() == golden.keys()
    for name, result in benchmark.items():
        assert result.dtype == DTYPES[dtype].numpy
        terms = golden[name].terms
        scale = np.abs(golden[name].value) if terms is None else terms
        error = np.abs(result.astype(float) - golden[name].value)
        assert (error <= 8 * DTYPES[dtype].unit * scale).all()


@pytest.mark.parametrize("api", ["aclnnPrelu", "aclnnSiluBackward"])
def test_mixed_dtypes_are_promoted_and_delivered_in_the_outputs_dtype(api, runner, call, tensor):
    names, (output,) = APIS[api]
    inputs = {names[0]: tensor([[1, -2]], "bfloat16"), names[1]: tensor([[1, 1]], "float16")}
    made = call(api, inputs, {output: tensor([[0, 0]], "float16")})
    assert runner.benchmark(made)[output].dtype == np.float16


@pytest.mark.parametrize("api", ["aclnnHardshrink", "aclnnNoSuchThing"])
def test_selections_and_unknown_apis_have_none(api, runner, call, tensor):
    made = call(api, {"self": tensor([1]), "lambd": LAMBD}, {"out": tensor([1])})
    assert runner.benchmark(made) is None


def test_integers_have_none(runner, call, tensor):
    inputs = {"gradOutput": tensor([1], "int8"), "result": tensor([1], "int8")}
    assert runner.benchmark(call("aclnnSeluBackward", inputs, {"gradInput": tensor([0], "int8")})) is None
