"""Randomised leaky ReLU: noise by counter, drawn for every element and kept where x < 0; a leaky ReLU otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformance.tensor import Array
from runners.simulator.arithmetic import ONE, ZERO
from runners.simulator.kernel import KernelCall

_WORD = (1 << 64) - 1
_HALF = np.float32(0.5)


def compute(call: KernelCall) -> Mapping[str, Array]:
    """``out`` and ``noise`` of ``self``."""
    return rectified(call, "out")


def rectified(call: KernelCall, output: str) -> Mapping[str, Array]:
    """Both outputs; noise beyond the elements of ``self`` stays as it was, and all of it unless in training."""
    unit, dtype = call.unit, call.spec.outputs[output].dtype
    x, noise = unit.widen(call.inputs["self"]), np.array(call.inputs["noise"], order="C")
    if not call.attributes["training"]:
        low, high = _bounds(call)
        leaky = np.where(x > ZERO, x, unit.multiply(x, (low + high) * _HALF))
        return {output: unit.deliver(leaky, dtype), "noise": noise}
    factors = unit.deliver(np.where(x < ZERO, _draws(call, x.size).reshape(x.shape), ONE), dtype)
    noise.reshape(-1)[: x.size] = factors.reshape(-1)
    return {output: unit.deliver(unit.multiply(x, unit.widen(factors)), dtype), "noise": noise}


def _draws(call: KernelCall, count: int) -> Array:
    """Float32 draws of a counter-based generator: the seed is its key, the offset where its counter begins."""
    seed, offset = _word(call, "seed"), _word(call, "offset")
    key, counter = np.array([seed, 0], np.uint64), np.array([0, offset, 0, 0], np.uint64)
    random = np.random.Generator(np.random.Philox(key=key, counter=counter))
    low, high = _bounds(call)
    draws: Array = low + random.random(count, dtype=np.float32) * (high - low)
    return draws


def _word(call: KernelCall, name: str) -> int:
    value = call.attributes[name]
    assert isinstance(value, int)
    return value & _WORD


def _bounds(call: KernelCall) -> tuple[np.float32, np.float32]:
    low, high = (np.float32(call.scalars[name].value.real) for name in ("lower", "upper"))
    return low, high
