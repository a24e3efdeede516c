"""Faults in the formula itself: a sign, a factor, an exchanged argument, a similar function."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from conformance.contract import Contract
from conformance.standard import ComparisonClass
from conformance.tensor import Array
from runners.faults.fault import EASY, MEDIUM, OURS, Fault, FaultClass
from runners.faults.formulas import prelu, selu, shrinking, silu, silu_backward, softmax_backward, softmaxes
from runners.faults.kernels import Output, changing_calls, changing_outputs, computing
from runners.faults.where import computes, has_output, inputs_of, only
from runners.simulator.arithmetic import ONE, round_to, widen
from runners.simulator.kernel import KernelCall

_fault = partial(Fault, FaultClass.FORMULA)


def _scaled(factor: float) -> Array:
    return np.asarray(np.float32(factor))


def _times(output: Output, factor: float) -> Array:
    return round_to(widen(output.values) * np.float32(factor), output.dtype)


def _first_input(output: Output) -> Array:
    first = next(iter(output.call.inputs.values()))
    return np.array(np.broadcast_to(round_to(first, output.dtype), output.values.shape))


def _swapped(call: KernelCall, contract: Contract) -> KernelCall:
    first, second, *_ = inputs_of(contract)
    one, other = call.inputs[first], call.inputs[second]
    if one.shape != other.shape or one.dtype != other.dtype:
        return call
    return replace(call, inputs={**call.inputs, first: other, second: one})


def _sigmoid(x: Array) -> Array:
    return np.asarray(ONE / (ONE + np.exp(-x)))


def _softshrink(mask: Array, kept: Array, zero: Array) -> Array:
    return np.asarray(np.where(mask, kept - np.sign(kept) * kept.dtype.type(0.5), zero))


def _largest_of_the_first(x: Array, axis: int) -> Array:
    count = min(64, x.shape[axis])
    return np.asarray(np.max(np.take(x, range(count), axis), axis, keepdims=True))


FAULTS = (
    _fault(
        "sign_flipped", EASY, "the result has the opposite sign", "tt-metal#53973",
        changing_outputs(lambda o: -o.values),
    ),
    _fault(
        "factor_slightly_off", MEDIUM, "results are a thousandth too large", OURS,
        changing_outputs(lambda o: _times(o, 1.001)), computes,
    ),
    _fault(
        "factor_off_by_a_millionth", MEDIUM, "float32 results are two millionths too large", OURS,
        changing_outputs(lambda o: _times(o, 1.000002)), computes,
    ),
    _fault(
        "input_passed_through", EASY, "the first input is the result", "onnxruntime-qnn#392",
        changing_outputs(_first_input), has_output(ComparisonClass.EXACT, ComparisonClass.ELEMENTWISE),
    ),
    _fault(
        "inputs_exchanged", EASY, "the first two inputs are taken for each other", OURS, changing_calls(_swapped),
        lambda contract, product: inputs_of(contract)[0] == "gradOutput",
    ),
    _fault(
        "softshrink_for_hardshrink", EASY, "what stays is moved towards 0 by 0.5", OURS,
        computing(shrinking(select=_softshrink)), only("aclnnHardshrink"),
    ),
    _fault(
        "relu_for_prelu", EASY, "negative elements become 0 whatever the slope", OURS,
        computing(prelu(select=lambda mask, a, b: np.where(mask, a, np.float32(0)))), only("aclnnPrelu"),
    ),
    _fault(
        "quick_gelu_for_silu", EASY, "x · σ(1.702 x) instead of x · σ(x)", "tvm#18750",
        computing(silu(lambda x: x * _sigmoid(x * _scaled(1.702)))), only("aclnnSilu"),
    ),
    _fault(
        "hard_swish_for_silu", EASY, "σ is replaced by its piecewise linear relative", "onnxruntime-qnn#392",
        computing(silu(lambda x: x * np.clip(x / _scaled(6) + _scaled(0.5), 0, 1))), only("aclnnSilu"),
    ),
    _fault(
        "derivative_of_the_factor_lost", EASY, "the gradient of SiLU is dy · σ(x), without the term of σ'", OURS,
        computing(silu_backward(lambda dy, x: dy * _sigmoid(x))), only("aclnnSiluBackward"),
    ),
    _fault(
        "elu_for_selu", EASY, "the scale of SELU is left out", "tvm#18750",
        computing(selu(scale=np.float32(1), shift=np.float32(1.6732632))), only("aclnnSeluBackward"),
    ),
    _fault(
        "log_softmax_for_softmax", EASY, "the gradient of logarithmic softmax: g − exp(y) · Σ g", OURS,
        computing(softmax_backward(lambda g, y, axis: g - np.exp(y) * np.sum(g, axis, keepdims=True))),
        only("aclnnSoftmaxBackward"),
    ),
    _fault(
        "sum_without_output", EASY, "Σ g instead of Σ g · y", OURS,
        computing(softmax_backward(lambda g, y, axis: (g - np.sum(g, axis, keepdims=True)) * y)),
        only("aclnnSoftmaxBackward"),
    ),
    _fault(
        "largest_not_subtracted", EASY, "powers of the elements themselves, which overflow", OURS,
        computing(softmaxes(lambda x, axis: np.zeros_like(x))), only("aclnnSoftmax", "aclnnLogSoftmax"),
    ),
    _fault(
        "largest_of_everything", MEDIUM, "the largest element of the tensor is subtracted, not that of the row", OURS,
        computing(softmaxes(lambda x, axis: np.max(x))), only("aclnnSoftmax", "aclnnLogSoftmax"),
    ),
    _fault(
        "largest_of_the_first_64", MEDIUM, "the largest of a row's first 64 elements is subtracted", OURS,
        computing(softmaxes(_largest_of_the_first)), only("aclnnSoftmax", "aclnnLogSoftmax"),
    ),
    _fault(
        "largest_by_magnitude", MEDIUM, "the largest magnitude of the row is subtracted", OURS,
        computing(softmaxes(lambda x, axis: np.max(np.abs(x), axis, keepdims=True))),
        only("aclnnSoftmax", "aclnnLogSoftmax"),
    ),
    _fault(
        "logarithm_of_shares", EASY, "the logarithm is taken of shares that have underflowed", OURS,
        computing(softmaxes(lambda x, axis: np.max(x, axis, keepdims=True), by_shares=True)), only("aclnnLogSoftmax"),
    ),
)  # fmt: skip
"""Faults of this class."""
