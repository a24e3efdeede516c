"""Kernels of one tensor on values worked out by hand: branches, limits, special values, casts of scalars."""

import numpy as np
import pytest

from runners.simulator.kernels.activation import (
    celu,
    elu,
    fast_gelu,
    gelu,
    hardswish,
    leaky_relu,
    shrink,
    softshrink,
    threshold,
)

INF, NAN = np.inf, np.nan
UNIT = {"alpha": 1, "scale": 1, "inputScale": 1}
BOUNDS = {"lambd": 1, "bias": 0.25}


@pytest.mark.parametrize(
    ("kernel", "scalars", "x", "expected"),
    [
        (celu, {"alpha": 2}, [3, 0, -INF, INF, NAN], [3, 0, -2, INF, NAN]),
        (celu, {"alpha": -2}, [3, 0, -INF], [3, 0, -INF]),
        (elu, UNIT, [3, 0, -INF, INF, NAN], [3, 0, -1, INF, NAN]),
        (elu, {**UNIT, "scale": -2}, [3, -INF], [-6, 2]),
        (elu, {**UNIT, "alpha": INF}, [3, 0, -1, NAN], [3, -INF, -INF, NAN]),
        (elu, {**UNIT, "inputScale": NAN, "alpha": 2}, [3, 0, -1], [3, -2, -2]),
        (hardswish, {}, [-INF, -3, -1.5, 0, 3, INF, NAN], [0, 0, -0.375, 0, 3, INF, NAN]),
        (leaky_relu, {"negativeSlope": 0.5}, [2, 0, -2, -INF, NAN], [2, 0, -1, -INF, NAN]),
        (leaky_relu, {"negativeSlope": INF}, [2, 0, -2], [2, NAN, -INF]),
        (shrink, BOUNDS, [2, 1, 0, -1, -2, INF, NAN], [1.75, 0, 0, 0, -1.75, INF, 0]),
        (softshrink, {"lambd": 1}, [2, 1, 0, -1, -2, -INF, NAN], [1, 0, 0, 0, -1, -INF, 0]),
        (threshold, {"threshold": 1, "value": 5}, [2, 1, -2, INF, NAN], [2, 5, 5, INF, NAN]),
        (gelu, {}, [0, INF, -INF, NAN, -100, 100], [0, INF, NAN, NAN, 0, 100]),
        (fast_gelu, {}, [0, INF, -INF, NAN, -100, 100], [0, INF, NAN, NAN, 0, 100]),
    ],
)
def test_branches_and_special_values(compute, kernel, scalars, x, expected):
    values = np.array(x, np.float32)
    result = compute(kernel, {"out": (values.shape, "float32")}, scalars=scalars, self=values)["out"]
    np.testing.assert_array_equal(np.asarray(result, np.float64), np.array(expected, np.float64))


@pytest.mark.parametrize("z", [-0.11, -0.1, -0.0999, -1e-3, -1e-7])
def test_elu_keeps_small_results(compute, z):
    x = np.array([z], np.float32)
    result = compute(elu, {"out": ((1,), "float32")}, scalars=UNIT, self=x)["out"]
    np.testing.assert_allclose(result, np.expm1(x.astype(np.float64)), rtol=1e-6)


@pytest.mark.parametrize(
    ("dtype", "limit", "value", "expected"),
    [
        ("int8", 1.9, 2.9, [2, 2, 2, 3]),
        ("int8", 0, 300, [44, 1, 2, 3]),
        ("float16", 1, 70000, [INF, INF, 2, 3]),
        ("int64", 2, -7, [-7, -7, -7, 3]),
    ],
)
def test_threshold_casts_its_scalars(compute, dtype, limit, value, expected):
    x = np.array([0, 1, 2, 3], dtype)
    scalars = {"threshold": limit, "value": value}
    result = compute(threshold, {"out": ((4,), dtype)}, scalars=scalars, self=x)["out"]
    np.testing.assert_array_equal(np.asarray(result, np.float64), expected)


@pytest.mark.parametrize(("kernel", "scalars"), [(hardswish, {}), (celu, {"alpha": 1}), (shrink, BOUNDS)])
def test_results_are_rounded_to_the_type_of_self_before_the_cast(compute, kernel, scalars):
    x = np.array([-0.3, 1.1, -1.7, 2.3], np.float16)
    wide, narrow = (
        compute(kernel, {"out": ((4,), dtype)}, scalars=scalars, self=x)["out"] for dtype in ("float32", "float16")
    )
    np.testing.assert_array_equal(wide, narrow.astype(np.float32))
