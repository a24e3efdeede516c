"""Gradients of smooth functions against torch's differentiation of the functions in float64."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional

from conformance.call import Attribute, Scalar
from conformance.dtype import DTYPES
from conformance.signature import ParameterKind

X = np.array([-30, -4, -1.25, -0.5, -1e-6, 0, 0.5, 1, 2.75, 30], np.float32)
G = np.array([1, -2, 0.5, 3, -0.25, 1, -8, 0.125, 2, -1], np.float32)
Y = np.array([0, 0.125, 0.25, 0.5, 0.75, 1, 0.0625, 2, -1, 1e-6], np.float32)
SMOOTH = {
    "aclnnFastGeluBackward": (lambda x: x * torch.sigmoid(1.702 * x), {}),
    "aclnnGeluBackward": (lambda x: functional.gelu(x, approximate="tanh"), {}),
    "aclnnMishBackward": (functional.mish, {}),
    "aclnnLogSigmoidBackward": (functional.logsigmoid, {}),
    "aclnnSwishBackward": (lambda x: x * torch.sigmoid(-1.5 * x), {"betaOptional": -1.5}),
    "aclnnSoftplusBackward": (lambda x: functional.softplus(x, 2, 3), {"beta": 2, "threshold": 3}),
}


def differentiated(function, g, x):
    values = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    function(values).backward(torch.tensor(g, dtype=torch.float64))
    return values.grad.numpy()


def scalars(numbers):
    return {name: Scalar(DTYPES["float32"], number) for name, number in numbers.items()}


@pytest.mark.parametrize("api", SMOOTH)
def test_gradients(api, tensor, golden):
    function, numbers = SMOOTH[api]
    answer = golden(api, {"gradOutput": tensor(G), "self": tensor(X), **scalars(numbers)}, {"gradInput": tensor(X)})
    np.testing.assert_allclose(answer["gradInput"].value, differentiated(function, G, X), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("word", ["none", "tanh"])
def test_gelu_by_its_attribute(word, tensor, golden):
    approximate = Attribute(ParameterKind.STRING, word)
    inputs = {"gradOutput": tensor(G), "self": tensor(X), "approximate": approximate}
    answer = golden("aclnnGeluBackwardV2", inputs, {"gradInput": tensor(X)})
    expected = differentiated(lambda x: functional.gelu(x, approximate=word), G, X)
    np.testing.assert_allclose(answer["gradInput"].value, expected, rtol=1e-9, atol=1e-14)


def test_sigmoid_from_its_result(tensor, golden):
    answer = golden("aclnnSigmoidBackward", {"gradOutput": tensor(G), "output": tensor(Y)}, {"gradInput": tensor(Y)})
    g, y = G.astype(np.float64), Y.astype(np.float64)
    np.testing.assert_allclose(answer["gradInput"].value, g * (1 - y) * y, rtol=1e-12)


@pytest.mark.parametrize("api", ["aclnnGeluBackward", "aclnnMishBackward"])
def test_gradients_broadcast(api, tensor, golden):
    row, column = X[None, :], X[:4, None]
    answer = golden(api, {"gradOutput": tensor(row), "self": tensor(column)}, {"gradInput": tensor(row * column)})
    expected = differentiated(SMOOTH[api][0], np.broadcast_to(row, (4, 10)), np.repeat(column, 10, axis=1))
    np.testing.assert_allclose(answer["gradInput"].value, expected, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("api", ["aclnnFastGeluBackward", "aclnnGeluBackward", "aclnnMishBackward"])
def test_limits_are_admitted_at_infinity(api, tensor, golden):
    x, g = np.array([np.inf, -np.inf], np.float32), np.array([3, 3], np.float32)
    answer = golden(api, {"gradOutput": tensor(g), "self": tensor(x)}, {"gradInput": tensor(x)})["gradInput"]
    assert any(np.array_equal(alternative, [3, 0]) for alternative in answer.alternatives)


@pytest.mark.parametrize(
    ("beta", "threshold", "x", "expected"),
    [
        (1, 1, 1, 1 / (1 + math.exp(-1))),
        (1, 1, 1.5, 1),
        (0, -1, 5, 1),
        (-2, 1, -0.75, 1),
        (1, math.nan, 2, 0.8807970779778823),
    ],
)
def test_softplus_passes_above_its_threshold(beta, threshold, x, expected, tensor, golden):
    inputs = {"gradOutput": tensor([1.0]), "self": tensor([x]), **scalars({"beta": beta, "threshold": threshold})}
    answer = golden("aclnnSoftplusBackward", inputs, {"gradInput": tensor([0.0])})
    np.testing.assert_allclose(answer["gradInput"].value, [expected], rtol=1e-12)
