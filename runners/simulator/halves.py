"""Operators that read one tensor in two halves, and results that are written without a look at the output's shape."""

from __future__ import annotations

from math import prod

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import Float32
from runners.simulator.kernel import KernelCall


def halves_of(values: Array, axis: int = -1, interleaved: bool = False) -> tuple[Array, Array]:
    """Two matrices of lanes: a row holds half of what lies from the axis to the end, the rows are all before it.

    Of an odd axis before an even one the halves are those of the product, as device code sees it. A matrix cannot
    have a row of an odd length: its last element stays unread.
    """
    shape = values.shape or (1,)
    rows = values.reshape(prod(shape[: axis % len(shape)]), -1)
    width = rows.shape[1] // 2
    if interleaved:
        return rows[:, 0 : 2 * width : 2], rows[:, 1 : 2 * width : 2]
    return rows[:, :width], rows[:, width : 2 * width]


def whole_of(left: Array, right: Array, interleaved: bool = False) -> Array:
    """The rows whose halves these are."""
    if interleaved:
        return np.stack((left, right), axis=-1).reshape(left.shape[0], -1)
    return np.concatenate((left, right), axis=1)


def half_like(values: Array, half: Array) -> Array:
    """A tensor's elements in order, as a matrix like ``half``: begun again where they end, cut where it does."""
    return np.resize(values.reshape(-1), half.shape)


def written(call: KernelCall, name: str, lanes: Array) -> Array:
    """Results in the output's memory, in order, as many as it holds; elements beyond them stay as they were."""
    spec = call.spec.outputs[name]
    result = call.unit.deliver(lanes, spec.dtype).reshape(-1)
    if result.size == prod(spec.shape):
        return result.reshape(spec.shape)
    memory = call.output_memory(name)
    memory.reshape(-1)[: result.size] = result[: memory.size]
    return memory


def number(call: KernelCall, name: str) -> Float32:
    """A double attribute as the float32 that kernels get."""
    value = call.attributes[name]
    assert isinstance(value, int | float)
    return np.asarray(value, np.float32)


def integer(call: KernelCall, name: str) -> int:
    """An int64 or bool attribute."""
    value = call.attributes[name]
    assert isinstance(value, int)
    return int(value)
