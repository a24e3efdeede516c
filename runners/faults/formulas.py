"""The formulas of the APIs once more, with one part left open: the predicate, the threshold, the channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from conformance.dtype import DTYPES
from conformance.tensor import Array, Shape
from runners.faults.kernels import Compute
from runners.simulator.arithmetic import common_dtype, dtype_of, round_to, widen
from runners.simulator.kernel import KernelCall
from runners.simulator.kernels.activation.hardshrink import threshold

SCALE = np.float32(1.0507009873554805)
SCALE_ALPHA = np.float32(1.7580993408473766)

Keep = Callable[[Array, Array], Array]
"""x and the threshold, both float32 → which elements stay."""
Select = Callable[[Array, Array, Array], Array]
"""A mask and the lanes of both branches → lanes."""
Channel = Callable[[Shape, int], Array]
"""Shape of a tensor and number of slopes → index of the slope of every element, of that shape."""


def stays(x: Array, limit: Array) -> Array:
    """The sound predicate: |x| > λ, NaN included."""
    kept: Array = ~(np.abs(x) <= limit)
    return kept


def channel_of(shape: Shape, count: int) -> Array:
    """The sound channel: the index along axis 1; 0 for one slope."""
    index = np.zeros(shape, np.intp)
    if count > 1 and len(shape) > 1:
        index += np.arange(shape[1]).reshape(-1, *[1] * (len(shape) - 2))
    return index


def shrinking(
    keep: Keep = stays, select: Select = np.where, limit_of: Callable[[KernelCall], npt.ArrayLike] = threshold
) -> dict[str, Compute]:
    """Hardshrink and its gradient with another predicate, another way to select, or another threshold."""

    def forward(call: KernelCall) -> Mapping[str, Array]:
        x = call.inputs["self"]
        return {"out": _shrunk(call, x, x, "out")}

    def backward(call: KernelCall) -> Mapping[str, Array]:
        dy, x = (call.prepared(name) for name in ("gradOutput", "self"))
        return {"gradInput": _shrunk(call, dy, x, "gradInput")}

    def _shrunk(call: KernelCall, kept: Array, x: Array, name: str) -> Array:
        dtype = common_dtype(dtype_of(kept), dtype_of(x))
        limit = widen(round_to(limit_of(call), DTYPES["float32"] if dtype.name == "bfloat16" else dtype))
        lanes = select(keep(widen(x), limit), kept, np.zeros((), kept.dtype))
        return round_to(lanes, call.spec.outputs[name].dtype)

    return {"aclnnHardshrink": forward, "aclnnHardshrinkBackward": backward}


def prelu(
    positive: Callable[[Array], Array] = lambda x: x > 0,
    select: Select = np.where,
    channel: Channel = channel_of,
) -> dict[str, Compute]:
    """PReLU and its gradients with another predicate, another way to select, or other channels."""

    def forward(call: KernelCall) -> Mapping[str, Array]:
        x, weight = (widen(call.prepared(name)) for name in ("self", "weight"))
        slope = weight.reshape(-1)[channel(x.shape, weight.size)]
        dtype = common_dtype(dtype_of(call.inputs["self"]), dtype_of(call.inputs["weight"]))
        result = round_to(select(positive(x), x, x * slope), dtype)
        return {"out": round_to(result, call.spec.outputs["out"].dtype)}

    def backward(call: KernelCall) -> Mapping[str, Array]:
        x, weight = widen(call.inputs["self"]), call.inputs["weight"]
        dy = np.broadcast_to(widen(call.inputs["gradOutput"]), x.shape)
        index = channel(x.shape, weight.size)
        mask = positive(x)
        dx = select(mask, dy, dy * widen(weight).reshape(-1)[index])
        terms = round_to(select(mask, np.zeros((), np.float32), x * dy), dtype_of(weight))
        dw = np.bincount(index.reshape(-1), widen(terms).reshape(-1).astype(np.float64), weight.size)
        results = {"gradInput": dx, "gradWeight": dw[: weight.size].reshape(weight.shape)}
        return {name: round_to(np.asarray(value), dtype_of(weight)) for name, value in results.items()}

    return {"aclnnPrelu": forward, "aclnnPreluBackward": backward}


def selu(
    select: Callable[[Array, Array, Array], Array] = lambda y, below, above: np.where(y <= 0, below, above),
    scale: np.float32 = SCALE,
    shift: np.float32 = SCALE_ALPHA,
) -> dict[str, Compute]:
    """The gradient of SELU with another way to select (y, lanes below 0, lanes above 0 → lanes) or other constants."""

    def backward(call: KernelCall) -> Mapping[str, Array]:
        dtype = call.spec.outputs["gradInput"].dtype
        dy, y = (widen(call.inputs[name]) for name in ("gradOutput", "result"))
        gradient = select(y, dy * (y + shift), dy * scale)
        return {"gradInput": round_to(gradient, dtype)}

    return {"aclnnSeluBackward": backward}


def silu(forward: Callable[[Array], Array]) -> dict[str, Compute]:
    """SiLU as another function of float32 lanes."""

    def compute(call: KernelCall) -> Mapping[str, Array]:
        return {"out": round_to(forward(widen(call.inputs["self"])), call.spec.outputs["out"].dtype)}

    return {"aclnnSilu": compute}


def silu_backward(gradient: Callable[[Array, Array], Array]) -> dict[str, Compute]:
    """The gradient of SiLU as another function of float32 lanes dy and x."""

    def compute(call: KernelCall) -> Mapping[str, Array]:
        dtype = call.spec.outputs["gradInput"].dtype
        dy, x = (widen(call.prepared(name)) for name in ("gradOutput", "self"))
        return {"gradInput": round_to(gradient(dy, x), dtype)}

    return {"aclnnSiluBackward": compute}


def softmax_backward(gradient: Callable[[Array, Array, int], Array]) -> dict[str, Compute]:
    """The gradient of softmax as another function of float32 lanes g and y and the axis."""

    def compute(call: KernelCall) -> Mapping[str, Array]:
        given = call.inputs["gradOutput"]
        g, y = (np.atleast_1d(widen(call.inputs[name])) for name in ("gradOutput", "output"))
        axis = call.attributes["dim"]
        assert isinstance(axis, int)
        result = round_to(gradient(g, y, axis), dtype_of(given)).reshape(given.shape)
        return {"out": round_to(result, call.spec.outputs["out"].dtype)}

    return {"aclnnSoftmaxBackward": compute}


def softmaxes(largest: Callable[[Array, int], Array], *, by_shares: bool = False) -> dict[str, Compute]:
    """Softmax and its logarithm with something else subtracted than the largest element of the row.

    ``largest`` has lanes and axis; ``by_shares`` takes the logarithm of the shares. Float64 is computed in itself.
    """

    def compute(call: KernelCall, logarithm: bool) -> Mapping[str, Array]:
        given, axis = np.atleast_1d(call.inputs["self"]), call.attributes["dim"]
        assert isinstance(axis, int)
        x = given if dtype_of(given).name == "float64" else widen(given)
        below = x - largest(x, axis)
        powers = np.exp(below)
        total = np.sum(powers, axis, keepdims=True)
        shares = powers / total
        lanes = shares if not logarithm else np.log(shares) if by_shares else below - np.log(total)
        output = call.spec.outputs["out"]
        return {"out": round_to(lanes, output.dtype).reshape(output.shape)}

    return {
        "aclnnSoftmax": lambda call: compute(call, logarithm=False),
        "aclnnLogSoftmax": lambda call: compute(call, logarithm=True),
    }
