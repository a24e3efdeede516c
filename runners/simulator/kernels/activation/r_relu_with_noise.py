"""Randomised leaky ReLU: noise drawn for every element and kept where x < 0 in training, else a leaky ReLU."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE
from runners.simulator.kernel import KernelCall

_HALF = np.float32(0.5)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` and ``noise`` of ``self``."""
    return rectified(call, "out")


def rectified(call: KernelCall, output: str) -> Mapping[str, Array]:
    """Both outputs; noise beyond the elements of ``self`` stays as it was, and all of it unless in training."""
    unit, dtype, x = call.unit, call.spec.outputs[output].dtype, call.inputs["self"]
    lanes, zero = unit.widen(x), x.dtype.type(0)
    low, high = (np.float32(call.scalars[name].value.real) for name in ("lower", "upper"))
    if not call.attributes["training"]:
        leaky = np.where(x > zero, lanes, unit.multiply(lanes, np.asarray((low + high) * _HALF)))
        return {output: unit.deliver(leaky, dtype)}
    draws = low + _uniform(call, x.size).reshape(x.shape) * (high - low)
    factors = unit.deliver(np.where(x < zero, draws, ONE), dtype)
    noise = np.array(call.inputs["noise"], order="C")
    noise.reshape(-1)[: x.size] = factors.reshape(-1)
    return {output: unit.deliver(unit.multiply(lanes, unit.widen(factors)), dtype), "noise": noise}


def _uniform(call: KernelCall, count: int) -> Array:
    seed, offset = call.attributes["seed"], call.attributes["offset"]
    assert isinstance(seed, int)
    assert isinstance(offset, int)
    return call.unit.uniform(seed, offset, count)
