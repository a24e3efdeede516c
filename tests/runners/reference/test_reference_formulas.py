"""Every formula against torch: forwards with its operators, backwards with its automatic differentiation."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from conformance.call import Attribute, Scalar
from conformance.dtype import DTYPES
from conformance.signature import ParameterKind
from runners.reference.formulas import families, formula_of

SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 5), (2, 3, 1, 2, 1, 2)]
LAMBD = Scalar(DTYPES["float32"], 0.5)


def random(shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def torch64(array, *, grad=False):
    return torch.tensor(array, dtype=torch.float64, requires_grad=grad)


def assert_close(golden, expected):
    np.testing.assert_allclose(golden.value, expected.detach().numpy(), rtol=1e-12, atol=1e-300)


def test_families_are_found_and_unknown_apis_have_no_formula():
    assert "activation" in families()
    assert formula_of("aclnnNoSuchThing") is None
    assert formula_of("aclnn..Silu") is None


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("api", "operator", "scalars"),
    [
        ("aclnnSilu", functional.silu, {}),
        ("aclnnHardshrink", lambda x: functional.hardshrink(x, 0.5), {"lambd": LAMBD}),
    ],
)
def test_forward_of_one_tensor(shape, api, operator, scalars, tensor, golden):
    x = random(shape)
    answer = golden(api, {"self": tensor(x), **scalars}, {"out": tensor(x)})
    assert_close(answer["out"], operator(torch64(x)))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("api", "operator", "scalars"),
    [
        ("aclnnSiluBackward", functional.silu, {}),
        ("aclnnHardshrinkBackward", lambda x: functional.hardshrink(x, 0.5), {"lambd": LAMBD}),
    ],
)
def test_backward_of_one_tensor(shape, api, operator, scalars, tensor, golden):
    x, g = torch64(random(shape), grad=True), random(shape, seed=1)
    inputs = {"gradOutput": tensor(g), "self": tensor(x.detach()), **scalars}
    answer = golden(api, inputs, {"gradInput": tensor(g)})
    (expected,) = torch.autograd.grad(operator(x), x, torch64(g))
    assert_close(answer["gradInput"], expected)


PRELU = [
    ((), ()), ((), (1,)), ((5,), (1,)), ((4, 3), (3,)), ((4, 3), (1, 3)), ((4, 3), (1, 1)),
    ((2, 3, 5), (3,)), ((2, 3, 5), (1, 3, 1)), ((2, 1, 5), (1,)), ((2, 3, 1, 2), (1, 3, 1, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "weight_shape"), PRELU)
def test_prelu(shape, weight_shape, tensor, golden):
    x, weight = random(shape), random(weight_shape, seed=2)
    answer = golden("aclnnPrelu", {"self": tensor(x), "weight": tensor(weight)}, {"out": tensor(x)})
    assert_close(answer["out"], functional.prelu(torch64(x), torch64(weight).reshape(-1)))


@pytest.mark.parametrize(("shape", "weight_shape"), PRELU)
def test_prelu_backward(shape, weight_shape, tensor, golden):
    x, weight = torch64(random(shape), grad=True), torch64(random(weight_shape, seed=2), grad=True)
    g = random(shape, seed=1)
    answer = golden(
        "aclnnPreluBackward",
        {"gradOutput": tensor(g), "self": tensor(x.detach()), "weight": tensor(weight.detach())},
        {"gradInput": tensor(g), "gradWeight": tensor(weight.detach())},
    )
    grad_input, grad_weight = torch.autograd.grad(functional.prelu(x, weight.reshape(-1)), (x, weight), torch64(g))
    assert_close(answer["gradInput"], grad_input)
    assert_close(answer["gradWeight"], grad_weight)


@pytest.mark.parametrize("shape", SHAPES)
def test_selu_backward(shape, tensor, golden):
    x, g = torch64(random(shape), grad=True), random(shape, seed=1)
    y = functional.selu(x).detach().float()
    answer = golden("aclnnSeluBackward", {"gradOutput": tensor(g), "result": tensor(y)}, {"gradInput": tensor(g)})
    (expected,) = torch.autograd.grad(functional.selu(x), x, torch64(g))
    # y was rounded to float32, the gradient is not a function of x here.
    np.testing.assert_allclose(answer["gradInput"].value, expected.numpy(), rtol=1e-5)


@pytest.mark.parametrize(("shape", "dim"), [((), 0), ((), -1), ((7,), 0), ((3, 4), 0), ((3, 4), -1), ((2, 3, 5), 1)])
def test_softmax_backward(shape, dim, tensor, golden):
    x, g = random(shape), random(shape, seed=1)
    y = torch64(x).softmax(dim).float()
    inputs = {"gradOutput": tensor(g), "output": tensor(y), "dim": Attribute(ParameterKind.INT64, dim)}
    answer = golden("aclnnSoftmaxBackward", inputs, {"out": tensor(g)})["out"]
    g64, y64 = torch64(g), y.double()
    np.testing.assert_allclose(answer.value, ((g64 - (g64 * y64).sum(dim, keepdim=True)) * y64).numpy(), rtol=1e-12)
    jacobian = torch.autograd.functional.jacobian(lambda t: t.softmax(dim), torch64(x))
    expected = torch.tensordot(g64, jacobian, dims=g64.ndim)
    np.testing.assert_allclose(answer.value, expected.numpy(), atol=1e-6)
