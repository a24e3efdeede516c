"""The kernels on values worked out by hand: branch limits, special values, roundings, axes."""

import ml_dtypes
import numpy as np
import pytest

from runners.simulator.kernels.activation import (
    hardshrink,
    hardshrink_backward,
    prelu,
    prelu_backward,
    selu_backward,
    silu,
    silu_backward,
    softmax_backward,
)

BF16 = ml_dtypes.bfloat16
FLOATS = {"float32": np.float32, "float16": np.float16, "bfloat16": BF16}
INF, NAN = np.inf, np.nan


def same(actual, expected):
    np.testing.assert_array_equal(np.asarray(actual, np.float64), np.asarray(expected, np.float64))


def test_silu_special_values(compute):
    x = np.array([0, -0.0, INF, -INF, NAN, -100], np.float32)
    same(compute(silu, {"out": ((6,), "float32")}, self=x)["out"], [0, -0.0, INF, NAN, NAN, -0.0])


@pytest.mark.parametrize("dtype", FLOATS)
def test_silu_is_the_float32_value_rounded(compute, dtype):
    x = np.linspace(-8, 8, 101).astype(FLOATS[dtype])
    exact = x.astype(np.float64) / (1 + np.exp(-x.astype(np.float64)))
    result = compute(silu, {"out": ((101,), dtype)}, self=x)["out"]
    np.testing.assert_allclose(result.astype(np.float64), exact, rtol=float(ml_dtypes.finfo(x.dtype).eps) * 4)


@pytest.mark.parametrize("product", ["ascend910b", "ascend950"])
def test_silu_backward_on_the_documents_example(compute, product):
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    result = compute(silu_backward, {"gradInput": ((2, 3), "float32")}, product, gradOutput=np.ones_like(x), self=x)
    s = 1 / (1 + np.exp(-x.astype(np.float64)))
    np.testing.assert_allclose(result["gradInput"], s * (1 + x * (1 - s)), rtol=1e-6)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [1, 17, 1025, 50_001])
def test_silu_backward_in_tiles_equals_one_vector(compute, dtype, n):
    rng = np.random.default_rng(n)
    inputs = {name: rng.uniform(-6, 6, n).astype(FLOATS[dtype]) for name in ("gradOutput", "self")}
    tiled, whole = (
        compute(silu_backward, {"gradInput": ((n,), dtype)}, product, **inputs)["gradInput"]
        for product in ("ascend910b", "ascend950")
    )
    np.testing.assert_array_equal(tiled.view(np.uint8), whole.view(np.uint8))


def test_silu_backward_broadcasts_and_mixes_dtypes_on_950(compute):
    outputs = {"gradInput": ((3, 2), "float32")}
    dy, x = np.array([1, 2], np.float16), np.zeros((3, 2), BF16)
    same(compute(silu_backward, outputs, gradOutput=dy, self=x)["gradInput"], [[0.5, 1]] * 3)


@pytest.mark.parametrize(
    ("lambd", "kept"),
    [
        (1.0, [0, 0, 0, 0, 2, NAN, INF]),
        (-1.0, [0, 1, -1, 0.5, 2, NAN, INF]),
        (NAN, [0, 1, -1, 0.5, 2, NAN, INF]),
    ],
)
def test_hardshrink_keeps_what_is_beyond_the_threshold(compute, lambd, kept):
    x = np.array([0, 1, -1, 0.5, 2, NAN, INF], np.float32)
    same(compute(hardshrink, {"out": ((7,), "float32")}, lambd=lambd, self=x)["out"], kept)


def test_hardshrink_compares_16_bit_values_with_a_float32_threshold(compute):
    x = np.array([0.1], np.float16)  # 0.0999755859375 < float32(0.1)
    same(compute(hardshrink, {"out": ((1,), "float16")}, lambd=float(np.float32(0.1)), self=x)["out"], [0])


@pytest.mark.parametrize(("dtype", "expected"), [("float16", 0.0), ("bfloat16", 1.0), ("float32", 1.0)])
def test_hardshrink_backward_casts_the_threshold_to_the_dtype_it_compares_in(compute, dtype, expected):
    """x = 0.1 in the dtype, λ just below it in float32: only float16 rounds λ up to x."""
    x = np.array([0.1]).astype(FLOATS[dtype])
    lambd = float(np.nextafter(np.float32(x[0]), np.float32(0)))
    outputs = {"gradInput": ((1,), dtype)}
    same(
        compute(hardshrink_backward, outputs, lambd=lambd, gradOutput=np.ones_like(x), self=x)["gradInput"],
        expected,
    )


@pytest.mark.parametrize("product", ["ascend950", "ascend910b"])
def test_hardshrink_backward_branches(compute, product):
    x = np.array([0, 1, -1, 2, -2, NAN, INF], np.float32)
    dy = np.array([7, 7, 7, 7, NAN, 7, 7], np.float32)
    result = compute(hardshrink_backward, {"gradInput": ((7,), "float32")}, product, lambd=1.0, gradOutput=dy, self=x)
    same(result["gradInput"], [0, 0, 0, 7, NAN, 7, 7])


def test_hardshrink_backward_takes_a_negative_threshold_as_zero(compute):
    x = np.array([0, -0.0, 1e-40, -1], np.float32)
    outputs = {"gradInput": ((4,), "float32")}
    result = compute(hardshrink_backward, outputs, lambd=-1.0, gradOutput=np.ones_like(x), self=x)
    same(result["gradInput"], [0, 0, 1, 1])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [1, 64, 129, 1024, 1025, 30_000])
def test_hardshrink_backward_in_tiles_equals_one_vector(compute, dtype, n):
    rng = np.random.default_rng(n)
    inputs = {name: rng.uniform(-1, 1, n).astype(FLOATS[dtype]) for name in ("gradOutput", "self")}
    tiled, whole = (
        compute(hardshrink_backward, {"gradInput": ((n,), dtype)}, product, lambd=0.5, **inputs)["gradInput"]
        for product in ("ascend950", "ascend910b")
    )
    np.testing.assert_array_equal(tiled.view(np.uint8), whole.view(np.uint8))


def test_hardshrink_backward_promotes_broadcasts_and_casts_the_result(compute):
    dy, x = np.array([1 + 2**-10, 2], np.float16), np.array([[1], [0]], np.float32)
    outputs = {"gradInput": ((2, 2), "bfloat16")}
    same(compute(hardshrink_backward, outputs, lambd=0.5, gradOutput=dy, self=x)["gradInput"], [[1, 2], [0, 0]])


@pytest.mark.parametrize(
    ("weight", "expected"),
    [([0.5], [[-1, 4, -3]]), ([1, 2, 3], [[-2, 4, -18]]), ([[1, 2, 3]], [[-2, 4, -18]])],
)
def test_prelu_scales_negatives_by_their_channels_slope(compute, weight, expected):
    x, weight = np.array([[-2, 4, -6]], np.float32), np.array(weight, np.float32)
    same(compute(prelu, {"out": ((1, 3), "float32")}, self=x, weight=weight)["out"], expected)


def test_prelu_limits_and_special_values(compute):
    x = np.array([0, NAN, INF, -INF], np.float32)
    outputs = {"out": ((4,), "float32")}
    same(compute(prelu, outputs, self=x, weight=np.array([INF], np.float32))["out"], [NAN, NAN, INF, -INF])


def test_prelu_computes_mixed_dtypes_in_float32_and_casts(compute):
    x, weight = np.array([-1.0009765625], np.float16), np.array([3.0], BF16)
    same(compute(prelu, {"out": ((1,), "float32")}, self=x, weight=weight)["out"], [-3.0029296875])


def test_prelu_backward_on_the_documents_example(compute):
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    outputs = {"gradInput": ((4, 2), "float32"), "gradWeight": ((2,), "float32")}
    weight = np.array([0.5, 0.5], np.float32)
    result = compute(prelu_backward, outputs, gradOutput=np.ones_like(x), self=x, weight=weight)
    same(result["gradInput"], [[0.5, 1], [1, 1], [1, 1], [1, 1]])
    same(result["gradWeight"], [0, 0])


@pytest.mark.parametrize(("weight", "sums"), [((), [33]), ((1,), [33]), ((3,), [3, 11, 19]), ((1, 3, 1), [3, 11, 19])])
def test_prelu_backward_sums_over_all_axes_but_the_channels(compute, weight, sums):
    """Two rows (the second positive: adds nothing), three channels, two columns; dy = −1 throughout."""
    x = np.array([[[-1, -2], [-5, -6], [-9, -10]], [[1, 1], [1, 1], [1, 1]]], np.float32)
    outputs = {"gradInput": (x.shape, "float32"), "gradWeight": (weight, "float32")}
    dy = -np.ones((1, 1, 2), np.float32)
    result = compute(prelu_backward, outputs, gradOutput=dy, self=x, weight=np.full(weight, 2, np.float32))
    same(result["gradWeight"].reshape(-1), sums)
    same(result["gradInput"], np.where(x > 0, -1, -2))


@pytest.mark.parametrize(("dtype", "big"), [("float16", 2048), ("bfloat16", 256)])
def test_prelu_backward_accumulates_in_float32_and_rounds_once(compute, dtype, big):
    """2048 + 1 + 1: in float16 the ones would be lost one by one; so from 256 on in bfloat16."""
    x = -np.array([[big, big], [1, 1], [1, 1]]).astype(FLOATS[dtype])
    outputs = {"gradInput": ((3, 2), dtype), "gradWeight": ((2,), dtype)}
    weight = np.ones(2).astype(x.dtype)
    result = compute(prelu_backward, outputs, gradOutput=-np.ones_like(x), self=x, weight=weight)
    same(result["gradWeight"], [big + 2, big + 2])


def test_selu_backward_switches_at_zero_inclusive(compute):
    result = np.array([0, -0.0, 1, -1, NAN], np.float32)
    got = compute(selu_backward, {"gradInput": ((5,), "float32")}, gradOutput=np.ones_like(result), result=result)
    a, s = np.float32(1.7580993408473766), np.float32(1.0507009873554805)
    same(got["gradInput"], [a, a, s, np.float32(-1) + a, s])


@pytest.mark.parametrize(
    ("dy", "result", "expected"),
    [(2, 1, 2), (10, 1, 11), (10, 0, 18), (100, -1, 76), (127, 1, 127), (100, -100, -128)],
)
def test_selu_backward_in_int8_rounds_and_saturates(compute, dy, result, expected):
    inputs = {"gradOutput": np.array([dy], np.int8), "result": np.array([result], np.int8)}
    same(compute(selu_backward, {"gradInput": ((1,), "int8")}, **inputs)["gradInput"], [expected])


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_softmax_backward_sums_along_its_axis(compute, dim):
    rng = np.random.default_rng(1)
    g, y = (rng.uniform(0, 1, (4, 5)).astype(np.float32) for _ in range(2))
    exact = (g.astype(np.float64) - (g.astype(np.float64) * y).sum(axis=dim, keepdims=True)) * y
    result = compute(softmax_backward, {"out": ((4, 5), "float32")}, dim=dim, gradOutput=g, output=y)["out"]
    np.testing.assert_allclose(result, exact, rtol=0, atol=1e-6)


def test_softmax_backward_of_a_0_dim_tensor(compute):
    g = np.float32(3).reshape(())
    one = np.float32(1).reshape(())
    same(compute(softmax_backward, {"out": ((), "float32")}, dim=-1, gradOutput=g, output=one)["out"], 0)


@pytest.mark.parametrize("dtype", ["float64", "complex64", "bfloat16"])
def test_softmax_backward_casts_its_16_bit_result(compute, dtype):
    g, y = np.array([1, 0.3], np.float16), np.array([0.25, 0.75], np.float16)
    plain = compute(softmax_backward, {"out": ((2,), "float16")}, dim=0, gradOutput=g, output=y)["out"]
    cast = compute(softmax_backward, {"out": ((2,), dtype)}, dim=0, gradOutput=g, output=y)["out"]
    np.testing.assert_array_equal(cast, plain.astype(cast.dtype))
