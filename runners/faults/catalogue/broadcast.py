"""Faults in broadcasting, and in which slope belongs to which element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np

from conformance.contract import Contract
from conformance.tensor import Array, Shape
from runners.faults.fault import EASY, MEDIUM, OURS, Fault, FaultClass
from runners.faults.formulas import Channel, channel_of, prelu
from runners.faults.kernels import Build, changing_calls, computing
from runners.faults.where import both, broadcasts, has_slopes, only, weight_of
from runners.simulator.kernel import KernelCall

_fault = partial(Fault, FaultClass.BROADCAST)
_BOTH = ("ascend910b", "ascend950")
"""Some functions broadcast on the newer product only."""
Spread = Callable[[Array, Shape], Array]
"""An input and the shape it must take → a wrong array of that shape."""


def _channels(channel: Channel) -> Build:
    return computing(prelu(channel=lambda shape, count: np.minimum(channel(shape, count), count - 1)))


def _along(axis: int) -> Channel:
    def channel(shape: Shape, count: int) -> Array:
        if count < 2 or not shape:
            return channel_of(shape, count)
        place = axis % len(shape)
        ones = [1] * (len(shape) - place - 1)
        return np.zeros(shape, np.intp) + (np.arange(shape[place]) % count).reshape(-1, *ones)

    return channel


def _flat(shape: Shape) -> Array:
    return np.arange(prod(shape)).reshape(shape)


def _of_rank_four(shape: Shape, count: int) -> Array:
    return np.asarray(_flat(shape) // prod(shape[2:4]) % count) if count > 1 else channel_of(shape, count)


def _with_the_batch(shape: Shape, count: int) -> Array:
    return np.asarray(_flat(shape) // prod(shape[2:])) if count > 1 else channel_of(shape, count)


def _eight_channels(shape: Shape, count: int) -> Array:
    return np.asarray(channel_of(shape, count) % 8)


def _one_slope_for_the_first(call: KernelCall, contract: Contract) -> KernelCall:
    name = weight_of(contract)
    assert name is not None
    weight, shape = call.inputs[name], call.inputs["self"].shape
    if weight.size != 1 or len(shape) < 2 or shape[1] < 2 or "gradOutput" in call.inputs:
        return call
    spread = np.zeros(shape[1], weight.dtype)
    spread[:1] = weight.reshape(-1)
    return replace(call, inputs={**call.inputs, name: spread})


def _columns_first(call: KernelCall, contract: Contract) -> KernelCall:
    name = weight_of(contract)
    assert name is not None
    weight = call.inputs[name]
    return replace(call, inputs={**call.inputs, name: np.ravel(weight, order="F").reshape(weight.shape)})


def _gradients(spread: Spread, which: Callable[[str], bool] = lambda name: True) -> Build:
    """Inputs smaller than the result are spread wrongly, slopes excepted."""

    def changed(call: KernelCall, contract: Contract) -> KernelCall:
        weight = weight_of(contract)
        shape = np.broadcast_shapes(*(array.shape for name, array in call.inputs.items() if name != weight))
        inputs = {
            name: spread(array, shape) if name != weight and array.shape != shape and which(name) else array
            for name, array in call.inputs.items()
        }
        return replace(call, inputs=inputs)

    return changing_calls(changed)


def _aligned_left(array: Array, shape: Shape) -> Array:
    padded = array.reshape(array.shape + (1,) * (len(shape) - array.ndim))
    sizes: tuple[int, ...] = padded.shape
    fits = all(own in (1, size) for own, size in zip(sizes, shape, strict=True))
    return np.broadcast_to(padded if fits else array, shape)


def _first_only(axis_of: Callable[[list[int]], int]) -> Spread:
    """Along one broadcast axis only the first index is filled, the others are 0."""

    def spread(array: Array, shape: Shape) -> Array:
        full = np.array(np.broadcast_to(array, shape))
        lead = len(shape) - array.ndim
        repeated = [i for i, size in enumerate(shape) if size > 1 and (i < lead or array.shape[i - lead] == 1)]
        if repeated:
            np.moveaxis(full, axis_of(repeated), 0)[1:] = 0
        return full

    return spread


def _one_element_not_repeated(array: Array, shape: Shape) -> Array:
    full = np.array(np.broadcast_to(array, shape))
    if array.size == 1:
        full.reshape(-1)[1:] = 0
    return full


FAULTS = (
    _fault(
        "last_axis_for_channels", MEDIUM, "the slope follows the last axis instead of axis 1",
        "flaggems#4992, tvm#18607", _channels(_along(-1)), has_slopes,
    ),
    _fault(
        "first_axis_for_channels", MEDIUM, "the slope follows axis 0 instead of axis 1", OURS, _channels(_along(0)),
        has_slopes,
    ),
    _fault(
        "only_first_slope_used", EASY, "every channel takes the first slope", OURS,
        _channels(lambda shape, count: np.zeros(shape, np.intp)), has_slopes,
    ),
    _fault(
        "slope_by_flat_position", EASY, "the slope of an element is its flat position modulo the channels",
        "flaggems#4992", _channels(lambda shape, count: _flat(shape) % count), has_slopes,
    ),
    _fault(
        "rank_four_assumed", MEDIUM, "channels are as long as axes 2 and 3, whatever axes there are", "flaggems#5392",
        _channels(_of_rank_four), has_slopes,
    ),
    _fault(
        "batch_counted_into_channels", MEDIUM, "the second sample goes on counting channels: it has the last slope",
        OURS, _channels(_with_the_batch), has_slopes,
    ),
    _fault(
        "slopes_repeat_after_eight", MEDIUM, "channels from the ninth on take the first eight slopes again",
        "ops-nn@8314e34ea", _channels(_eight_channels), has_slopes,
    ),
    _fault(
        "one_slope_for_first_channel", EASY, "a single slope serves the first channel; the others read beyond it", OURS,
        changing_calls(_one_slope_for_the_first), only("aclnnPrelu"),
    ),
    _fault(
        "slopes_in_column_order", MEDIUM, "slopes of several dimensions are read column by column", OURS,
        changing_calls(_columns_first), only("aclnnPrelu"),
    ),
    _fault(
        "broadcast_by_repetition", MEDIUM, "a smaller input is repeated flat until the result is full", "flaggems#5212",
        _gradients(np.resize), broadcasts, _BOTH,
    ),
    _fault(
        "broadcast_of_first_element", EASY, "of a smaller input only the first element is read", OURS,
        _gradients(lambda array, shape: np.broadcast_to(array.reshape(-1)[:1].reshape(()), shape)), broadcasts, _BOTH,
    ),
    _fault(
        "broadcast_aligned_left", MEDIUM, "shapes are aligned at the first axis where that fits", OURS,
        _gradients(_aligned_left), broadcasts, _BOTH,
    ),
    _fault(
        "leading_axes_not_repeated", MEDIUM, "along the first repeated axis only the first index is filled",
        "ops-nn@f98f04ca8", _gradients(_first_only(lambda axes: axes[0])), broadcasts, _BOTH,
    ),
    _fault(
        "trailing_axis_not_repeated", MEDIUM, "along the last repeated axis only the first index is filled", OURS,
        _gradients(_first_only(lambda axes: axes[-1])), broadcasts, _BOTH,
    ),
    _fault(
        "one_element_not_repeated", EASY, "an input of one element reaches the first element only", "flaggems#5212",
        _gradients(_one_element_not_repeated), broadcasts, _BOTH,
    ),
    _fault(
        "second_input_not_broadcast", MEDIUM, "self is repeated flat; the gradient alone is broadcast", OURS,
        _gradients(np.resize, lambda name: name == "self"),
        both(broadcasts, only("aclnnHardshrinkBackward", "aclnnSiluBackward")), _BOTH,
    ),
)  # fmt: skip
"""Faults of this class."""
