"""Faults at the ends of the range: overflow on the way, cancellation, approximations used where they do not fit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from conformance.tensor import Array
from runners.faults.fault import EASY, MEDIUM, OURS, Fault, FaultClass
from runners.faults.formulas import channel_of, shrinking, silu, softmax_backward
from runners.faults.kernels import Output, changing_outputs, computing, with_unit
from runners.faults.units import Exponential, Logistic
from runners.faults.where import computes, only
from runners.simulator.arithmetic import ONE, round_to, widen
from runners.simulator.kernel import KernelCall

_fault = partial(Fault, FaultClass.RANGE)
_exponentials = only("aclnnSilu", "aclnnSiluBackward")


def _lanes(values: object) -> Array:
    return np.asarray(values, np.float32)


def _sigmoid(x: Array) -> Array:
    return _lanes(ONE / (ONE + np.exp(-x)))


def _table(x: Array) -> Array:
    """σ interpolated between values a 64th apart."""
    whole = np.floor(np.nan_to_num(x, posinf=100, neginf=-100) * 64) / 64
    rest = (x - whole) * 64
    return _lanes(_sigmoid(_lanes(whole)) * (1 - rest) + _sigmoid(_lanes(whole + 1 / 64)) * rest)


def _six_times(output: Output) -> Array:
    if not output.dtype.is_float:
        return output.values
    six = output.values.dtype.type(6)
    return round_to(round_to(widen(output.values) * np.float32(6), output.dtype).astype(np.float32) / six, output.dtype)


def _half_sums(call: KernelCall) -> Mapping[str, Array]:
    x, weight = (call.prepared(name) for name in ("self", "weight"))
    slope = weight.reshape(-1)[channel_of(x.shape, weight.size)]
    result = (x + np.abs(x)) / x.dtype.type(2) + slope * ((x - np.abs(x)) / x.dtype.type(2))
    return {"out": round_to(np.asarray(result, x.dtype), call.spec.outputs["out"].dtype)}


def _moved_there_and_back(mask: Array, kept: Array, zero: Array) -> Array:
    one = kept.dtype.type(1)
    return np.asarray(np.where(mask, (kept - one) + one, zero))


def _large_inputs_lost(output: Output) -> Array:
    x = next(iter(output.call.inputs.values()))
    if x.shape == output.values.shape:
        output.values[np.abs(x.astype(np.float64)) > 1e4] = 0
    return output.values


def _saturated(x: Array) -> Array:
    return np.where(x > 8, ONE, np.where(x < -8, np.float32(0), _sigmoid(x)))


def _by_row_length(g: Array, y: Array, axis: int) -> Array:
    length = np.float32(g.shape[axis])
    half = _lanes((g * y * length).astype(np.float16))
    return _lanes((g - np.sum(half, axis, keepdims=True, dtype=np.float32) / length) * y)


FAULTS = (
    _fault(
        "silu_by_exp_of_x", EASY, "x · exp(x) / (1 + exp(x)): infinity / infinity is NaN", "pytorch#186278",
        computing(silu(lambda x: _lanes(x * np.exp(x) / (ONE + np.exp(x))))), only("aclnnSilu"),
    ),
    _fault(
        "sigmoid_by_exp_of_x", EASY, "exp(x) / (1 + exp(x)): infinity / infinity is NaN", "pytorch#186278",
        with_unit(lambda dtype: Logistic(lambda x: _lanes(np.exp(x) / (ONE + np.exp(x))))), _exponentials,
    ),
    _fault(
        "sigmoid_by_tanh", MEDIUM, "(1 + tanh(x/2)) / 2 cancels for negative x", "tt-metal#56517",
        with_unit(lambda dtype: Logistic(lambda x: _lanes((ONE + np.tanh(x / np.float32(2))) / np.float32(2)))),
        _exponentials,
    ),
    _fault(
        "sigmoid_argument_clamped", MEDIUM, "the argument of σ is clamped to ±10", "executorch#22323",
        with_unit(lambda dtype: Logistic(lambda x: _sigmoid(np.clip(x, np.float32(-10), np.float32(10))))),
        _exponentials,
    ),
    _fault(
        "sigmoid_saturates_at_eight", EASY, "σ is 0 below −8 and 1 above 8", "ncnn#6979",
        with_unit(lambda dtype: Logistic(_saturated)), _exponentials,
    ),
    _fault(
        "sigmoid_from_a_table", MEDIUM, "σ is interpolated between values a 64th apart", OURS,
        with_unit(lambda dtype: Logistic(_table)), _exponentials,
    ),
    _fault(
        "exp_overflows_to_nan", MEDIUM, "an exponential that overflows is NaN instead of infinite", "ops-nn@2fde10ebe",
        with_unit(lambda dtype: Exponential(lambda x: np.where(np.isinf(np.exp(x)), np.float32(np.nan), np.exp(x)))),
        _exponentials,
    ),
    _fault(
        "exp_limited", MEDIUM, "the argument of the exponential is at most 20", OURS,
        with_unit(lambda dtype: Exponential(lambda x: np.exp(np.minimum(x, np.float32(20))))), _exponentials,
    ),
    _fault(
        "multiplied_before_dividing", MEDIUM, "results are formed six times too large and divided by six",
        "paddle#35386", changing_outputs(_six_times), computes,
    ),
    _fault(
        "half_sum_of_magnitudes", MEDIUM, "(x + |x|)/2 + w·(x − |x|)/2 overflows beyond half of the range", OURS,
        computing({"aclnnPrelu": _half_sums}), only("aclnnPrelu"),
    ),
    _fault(
        "moved_there_and_back", MEDIUM, "what stays is computed as (x − 1) + 1 and loses its last digits", OURS,
        computing(shrinking(select=_moved_there_and_back)), only("aclnnHardshrink", "aclnnHardshrinkBackward"),
    ),
    _fault(
        "large_inputs_lost", MEDIUM, "where the first input is beyond 10000 the result is 0", "executorch#22323",
        changing_outputs(_large_inputs_lost),
    ),
    _fault(
        "row_length_multiplied_first", MEDIUM,
        "terms are multiplied by the row's length in float16 before the sum is divided by it", "ops-nn@8e6b992ef",
        computing(softmax_backward(_by_row_length)), only("aclnnSoftmaxBackward"),
    ),
)  # fmt: skip
"""Faults of this class."""
