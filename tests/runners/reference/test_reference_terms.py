"""Sizes of the terms that a result sums, by which reductions and cancelling sums are judged."""

import math

import numpy as np
import pytest

from conformance.call import Attribute
from conformance.signature import ParameterKind


def silu_backward(g, x, dtype, tensor, golden):
    inputs = {"gradOutput": tensor([g], dtype), "self": tensor([x], dtype)}
    return golden("aclnnSiluBackward", inputs, {"gradInput": tensor([0], dtype)})["gradInput"]


@pytest.mark.parametrize(("weight_shape", "count"), [((3,), 4), ((1, 3, 1), 4), ((1,), 12)])
def test_prelu_backward_sums_only_where_self_is_not_positive(weight_shape, count, tensor, golden):
    x = np.array([[[-1, 2], [3, 4], [-5, 6]], [[7, -8], [0, 9], [10, -11]]])
    g = np.broadcast_to([1.0, -1.0], x.shape)
    answer = golden(
        "aclnnPreluBackward",
        {"gradOutput": tensor([1.0, -1.0]), "self": tensor(x), "weight": tensor(np.ones(weight_shape))},
        {"gradInput": tensor(x), "gradWeight": tensor(np.ones(weight_shape))},
    )["gradWeight"]
    masked = np.where(x > 0, 0, x * g)
    axes = None if weight_shape == (1,) else (0, 2)
    np.testing.assert_array_equal(answer.value, masked.sum(axes).reshape(weight_shape))
    np.testing.assert_array_equal(answer.terms, np.abs(masked).sum(axes).reshape(weight_shape))
    assert answer.term_count == count


def test_silu_backward_terms_do_not_cancel_at_its_root(tensor, golden):
    answer = silu_backward(2, -1.2784645, "bfloat16", tensor, golden)
    sigma = 1 / (1 + math.exp(1.28125))
    assert abs(answer.value.item()) < 1e-2
    assert answer.terms.item() == pytest.approx(2 * sigma * (1 + 1.28125 * (1 - sigma)), rel=1e-3)


@pytest.mark.parametrize("x", [1.0, 10.0, 17.0, 18.0, 100.0, 1e30])
def test_silu_backward_terms_cover_float32_arithmetic_as_documented(x, tensor, golden):
    answer = silu_backward(1, x, "float32", tensor, golden)
    one = np.float32(1)
    sigma = one / (one + np.exp(-np.float32(x)))
    computed = sigma * (one + np.float32(x) * (one - sigma))
    error = abs(float(computed) - answer.value.item())
    assert error <= 4 * 2.0**-24 * answer.terms.item()


def test_softmax_backward_terms_are_those_of_the_difference(tensor, golden):
    g, y = [[3.0, -4.0]], [[0.25, 0.75]]
    inputs = {"gradOutput": tensor(g), "output": tensor(y), "dim": Attribute(ParameterKind.INT64, -1)}
    answer = golden("aclnnSoftmaxBackward", inputs, {"out": tensor(g)})["out"]
    np.testing.assert_array_equal(answer.terms, [[(3 + 3.75) * 0.25, (4 + 3.75) * 0.75]])
    assert answer.term_count == 2


def test_selu_backward_terms_do_not_cancel_near_the_lower_bound(tensor, golden):
    inputs = {"gradOutput": tensor([-2]), "result": tensor([-1.75])}
    answer = golden("aclnnSeluBackward", inputs, {"gradInput": tensor([0])})["gradInput"]
    assert answer.terms.item() == pytest.approx(2 * (1.75 + 1.7580993408473766))
