"""Kernels of smooth gradients on values worked out by hand: branches, infinities, promotion and casts."""

import numpy as np
import pytest

from runners.simulator.kernels.activation import (
    fast_gelu_backward,
    gelu_backward,
    log_sigmoid_backward,
    mish_backward,
    sigmoid_backward,
    softplus_backward,
    swish_backward,
)

INF, NAN = np.inf, np.nan


def gradient(compute, kernel, dy, x, scalars=None, types=("float32",) * 3, shape=None, other="self"):
    g, x = np.array(dy, types[0]), np.array(x, types[1])
    outputs = {"gradInput": (np.broadcast_shapes(g.shape, x.shape) if shape is None else shape, types[2])}
    return compute(kernel, outputs, scalars=scalars, gradOutput=g, **{other: x})["gradInput"]


@pytest.mark.parametrize(
    ("kernel", "scalars", "x", "expected"),
    [
        (fast_gelu_backward, {}, [0, 100, -100, INF, NAN], [1, 2, 0, NAN, NAN]),
        (swish_backward, {}, [0, 100, -100, INF, NAN], [1, 2, 0, NAN, NAN]),
        (swish_backward, {"betaOptional": 0}, [0, 100, -100, INF, NAN], [1, 1, 1, NAN, NAN]),
        (swish_backward, {"betaOptional": -1}, [0, 100, -100], [1, 0, 2]),
        (log_sigmoid_backward, {}, [0, 100, -100, INF, -INF, NAN], [1, 0, 2, 0, 2, NAN]),
        (gelu_backward, {}, [0, 100, -100, INF, -INF, NAN], [1, 2, 0, 2, 0, NAN]),
        (mish_backward, {}, [100, -100, INF, -INF, NAN], [2, 0, NAN, NAN, NAN]),
        (softplus_backward, {"beta": 1, "threshold": 0}, [0, 1e-6, INF, -INF, NAN], [1, 2, 2, 0, NAN]),
        (softplus_backward, {"beta": 1, "threshold": INF}, [100, INF], [2, 2]),
        (softplus_backward, {"beta": -2, "threshold": 1}, [-0.75, -0.5, 100], [2, 2 / (1 + np.exp(-1)), 0]),
    ],
)
def test_branches_and_special_values(compute, kernel, scalars, x, expected):
    result = gradient(compute, kernel, np.full(len(x), 2), x, scalars)
    np.testing.assert_allclose(np.asarray(result, np.float64), expected, rtol=3e-7, atol=1e-30)


def test_sigmoid_takes_gradient_times_complement_first(compute):
    dy, y = [2, 2, 1e-30, 0], [0.25, 1, 3e38, 3e38]
    result = gradient(compute, sigmoid_backward, dy, y, other="output")
    np.testing.assert_allclose(result, [0.375, 0, -INF, -0.0], rtol=1e-6)


def test_sigmoid_keeps_float64(compute):
    y = 1 - 2.0**-40
    result = gradient(compute, sigmoid_backward, [3.0], [y], types=("float64", "float32", "float64"), other="output")
    assert result[0] == 0
    result = gradient(compute, sigmoid_backward, [3.0], [y], types=("float64",) * 3, other="output")
    assert result[0] == 3 * (1 - y) * y


@pytest.mark.parametrize("kernel", [gelu_backward, mish_backward])
def test_two_inputs_promote_broadcast_and_are_cast(compute, kernel):
    g, x = [[1.5, -2, 0.3]], [[0.1], [-0.7]]
    full = gradient(compute, kernel, g, np.array(x, np.float16), shape=(2, 3))
    mixed = gradient(compute, kernel, g, x, types=("float32", "float16", "float32"))
    narrow = gradient(compute, kernel, g, x, types=("float32", "float16", "float16"))
    np.testing.assert_array_equal(mixed, full)
    np.testing.assert_array_equal(narrow, full.astype(np.float16))


def test_softplus_computes_two_types_and_integers_in_float32(compute):
    scalars = {"beta": 1, "threshold": 20}
    whole = gradient(compute, softplus_backward, [1, 2], [-1, 1], scalars)
    for types in [("float32", "int8", "float32"), ("float64", "float64", "float64"), ("float16", "float32", "float32")]:
        result = gradient(compute, softplus_backward, [1, 2], [-1, 1], scalars, types)
        np.testing.assert_array_equal(result.astype(np.float32), whole)
