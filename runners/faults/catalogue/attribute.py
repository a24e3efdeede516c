"""Faults in what becomes of scalars, axes and slopes between the caller and the kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from conformance.call import Scalar
from conformance.contract import Contract
from conformance.dtype import DTYPES
from conformance.tensor import Array
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.formulas import SCALE, SCALE_ALPHA, selu, shrinking
from runners.faults.kernels import Build, changing_calls, computing
from runners.faults.where import has_axis, has_slopes, has_threshold, only, weight_of
from runners.simulator.arithmetic import round_to, widen
from runners.simulator.kernel import KernelCall

_fault = partial(Fault, FaultClass.ATTRIBUTE)


def _scalar(change: Callable[[float], float]) -> Build:
    """Every scalar argument becomes another number."""

    def changed(call: KernelCall, contract: Contract) -> KernelCall:
        with np.errstate(all="ignore"):
            scalars = {name: Scalar(s.dtype, float(change(_real(s)))) for name, s in call.scalars.items()}
        return replace(call, scalars=scalars)

    return changing_calls(changed)


def _real(scalar: Scalar) -> float:
    assert isinstance(scalar.value, int | float)
    return float(scalar.value)


def _axis(change: Callable[[int, int], int]) -> Build:
    """Every axis becomes what ``change`` makes of it and the rank, if that is an axis at all."""

    def changed(call: KernelCall, contract: Contract) -> KernelCall:
        rank = max(1, len(next(iter(call.spec.inputs.values())).shape))
        axes = {name: min(max(change(int(str(axis)), rank), -rank), rank - 1) for name, axis in call.attributes.items()}
        return replace(call, attributes=axes)

    return changing_calls(changed)


def _slopes(change: Callable[[Array], Array]) -> Build:
    """The slopes become others, in their own type."""

    def changed(call: KernelCall, contract: Contract) -> KernelCall:
        name = weight_of(contract)
        assert name is not None
        weight = call.inputs[name]
        wrong = round_to(change(widen(weight)), call.spec.inputs[name].dtype)
        return replace(call, inputs={**call.inputs, name: wrong.reshape(weight.shape)})

    return changing_calls(changed)


def _through(name: str) -> Callable[[float], float]:
    dtype = DTYPES[name].numpy
    assert dtype is not None
    return lambda value: float(np.float32(value).astype(dtype))


def _low_half_as_bfloat16(value: float) -> float:
    low = np.float32(value).view(np.uint32) & np.uint32(0xFFFF)
    return float((low << np.uint32(16)).view(np.float32))


def _unclamped(call: KernelCall) -> Array:
    return np.asarray(np.float32(_real(call.scalars["lambd"])))


def _read_as_fixed_point(value: float) -> float:
    return round(value * 65536) / 65536 if abs(value) < 32768 else value


FAULTS = (
    _fault(
        "threshold_sign_ignored", EASY, "a negative threshold counts as its magnitude",
        "paddle#26403, ops-nn@e6f75e140", _scalar(abs), has_threshold,
    ),
    _fault(
        "threshold_not_clamped", MEDIUM, "a negative threshold is not taken as 0: zeros lie beyond it", OURS,
        computing(shrinking(limit_of=_unclamped)), only("aclnnHardshrinkBackward"),
    ),
    _fault(
        "threshold_is_an_integer", EASY, "the threshold is kept as an integer: 0.5 becomes 0", "ops-nn@eaebf6db2",
        _scalar(lambda value: float(int(value)) if abs(value) < 1e18 else value), has_threshold,
    ),
    _fault(
        "threshold_is_the_default", EASY, "the threshold given is not passed on; 0.5 is used", "tvm#18750",
        _scalar(lambda value: 0.5), has_threshold,
    ),
    _fault(
        "threshold_rounded_to_half", MEDIUM, "the threshold is held as float16, whatever the tensors are",
        "ops-nn@fd526da65", _scalar(_through("float16")), has_threshold,
    ),
    _fault(
        "threshold_low_half_read", EASY, "the lower half of the float32 threshold is read as bfloat16",
        "ops-nn@fd526da65", _scalar(_low_half_as_bfloat16), has_threshold,
    ),
    _fault(
        "threshold_saturates", MEDIUM, "the threshold is at most 65504", OURS,
        _scalar(lambda value: min(value, 65504.0)), has_threshold,
    ),
    _fault(
        "infinite_threshold_is_none", MEDIUM, "an infinite threshold counts as 0", OURS,
        _scalar(lambda value: 0.0 if np.isinf(value) else value), has_threshold,
    ),
    _fault(
        "tiny_threshold_is_none", MEDIUM, "thresholds below 1e-6 count as 0", OURS,
        _scalar(lambda value: 0.0 if abs(value) < 1e-6 else value), has_threshold,
    ),
    _fault(
        "threshold_in_fixed_point", MEDIUM, "the threshold is held with sixteen binary places", OURS,
        _scalar(_read_as_fixed_point), has_threshold,
    ),
    _fault(
        "axis_sign_ignored", EASY, "axis −n counts as axis n", "ops-nn@e6f75e140", _axis(lambda axis, rank: abs(axis)),
        has_axis,
    ),
    _fault(
        "negative_axis_is_first", EASY, "every negative axis counts as axis 0", OURS,
        _axis(lambda axis, rank: max(axis, 0)), has_axis,
    ),
    _fault(
        "negative_axis_one_too_early", MEDIUM, "a negative axis is counted from one before the last", OURS,
        _axis(lambda axis, rank: axis if axis >= 0 else rank + axis - 1), has_axis,
    ),
    _fault(
        "axis_is_always_last", EASY, "the axis given is not passed on; the last one is used", "torch-fl#171",
        _axis(lambda axis, rank: rank - 1), has_axis,
    ),
    _fault(
        "axis_is_always_first", EASY, "the axis given is not passed on; the first one is used", OURS,
        _axis(lambda axis, rank: 0), has_axis,
    ),
    _fault(
        "axis_beyond_four_wraps", MEDIUM, "axes from the fifth on are taken modulo four", OURS,
        _axis(lambda axis, rank: (axis + rank if axis < 0 else axis) % 4), has_axis,
    ),
    _fault(
        "slope_sign_ignored", EASY, "a negative slope counts as its magnitude", "ops-nn@e6f75e140", _slopes(np.abs),
        has_slopes,
    ),
    _fault(
        "slope_at_most_one", MEDIUM, "slopes above 1 count as 1", OURS,
        _slopes(lambda weight: np.minimum(weight, np.float32(1))), has_slopes,
    ),
    _fault(
        "slope_zero_is_the_default", MEDIUM, "a slope of 0 counts as not given: 0.25 is used", "ops-nn@42e15c0bb",
        _slopes(lambda weight: np.where(weight == 0, np.float32(0.25), weight)), has_slopes,
    ),
    _fault(
        "slope_rounded_to_half", MEDIUM, "slopes are held as float16, whatever the tensors are", "ops-nn@fd526da65",
        _slopes(lambda weight: weight.astype(np.float16)), has_slopes,
    ),
    _fault(
        "constants_rounded_to_half", MEDIUM, "the constants of SELU are held as float16", "ops-nn@fd526da65",
        computing(selu(scale=np.float32(np.float16(SCALE)), shift=np.float32(np.float16(SCALE_ALPHA)))),
        only("aclnnSeluBackward"),
    ),
    _fault(
        "constants_of_four_decimals", HARD, "the constants of SELU are written with four decimals", OURS,
        computing(selu(scale=np.float32(1.0507), shift=np.float32(1.7581))), only("aclnnSeluBackward"),
    ),
)  # fmt: skip
"""Faults of this class."""
