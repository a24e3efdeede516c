"""Faults in comparisons, and in what happens to NaN, infinities and zeros on the way."""

from __future__ import annotations

from functools import partial

import numpy as np

from conformance.tensor import Array
from runners.faults.fault import EASY, MEDIUM, OURS, Fault, FaultClass
from runners.faults.formulas import prelu, selu, shrinking
from runners.faults.kernels import Change, Output, changing_outputs, computing
from runners.faults.where import except_on, has_slopes, only

_fault = partial(Fault, FaultClass.PREDICATE)
_shrinks = only("aclnnHardshrink", "aclnnHardshrinkBackward")


def _replacing(wrong: Array, values: Array, by: float) -> Array:
    values[wrong] = by
    return values


def _largest(output: Output) -> float:
    return float(np.finfo(np.float32).max) if output.values.itemsize == 4 else 65504.0


def _is_nan(output: Output) -> Array:
    return np.asarray(output.values != output.values)


def _is_infinite(output: Output) -> Array:
    return np.asarray(np.isinf(output.values.astype(np.float64)))


def _nan_lost_in_whole_registers(output: Output) -> Array:
    flat = output.flat
    body = len(flat) // output.register * output.register
    flat[:body][flat[:body] != flat[:body]] = 0
    return output.values


def _spoils_its_block(output: Output) -> Array:
    if output.dtype.is_integer:
        return output.values
    flat = output.flat
    for start in np.unique(np.flatnonzero(flat != flat) // output.block) * output.block:
        flat[start : start + output.block] = np.nan
    return output.values


def _sign_of_infinity_lost(output: Output) -> Array:
    return _replacing(_is_infinite(output), output.values, np.inf) if output.dtype.is_float else output.values


def _float_only(change: Change) -> Change:
    return lambda output: change(output) if output.dtype.is_float else output.values


def _multiplied(mask: Array, chosen: Array, other: Array) -> Array:
    """Selection as arithmetic units without a select do it: mask · a + (1 − mask) · b."""
    lanes = mask.astype(chosen.dtype) * chosen + (~mask).astype(chosen.dtype) * other
    return np.asarray(lanes)


def _shrunk_in_registers(mask: Array, chosen: Array, other: Array) -> Array:
    """NaN counts as shrunk in whole registers and as kept in the remainder."""
    lanes = np.array(np.where(mask, chosen, other), order="C")
    flat, kept = lanes.reshape(-1), np.ascontiguousarray(mask).reshape(-1)
    register = 256 // lanes.itemsize
    body = len(flat) // register * register
    flat[:body][(flat[:body] != flat[:body]) & kept[:body]] = 0
    return lanes


_NO_BRANCH = {
    **prelu(select=lambda mask, a, b: np.where(np.isnan(a) | np.isnan(b), 0, np.where(mask, a, b))),
    **selu(select=lambda y, below, above: np.where(y > 0, above, np.where(y <= 0, below, 0))),
}
_BY_MULTIPLICATION = {
    **shrinking(select=_multiplied),
    **prelu(select=_multiplied),
    **selu(select=lambda y, below, above: _multiplied(np.asarray(y <= 0), below, above)),
}

FAULTS = (
    _fault(
        "threshold_itself_kept", EASY, "elements equal to the threshold count as beyond it", "ops-nn@423af2a5a",
        computing(shrinking(lambda x, limit: ~(np.abs(x) < limit))), _shrinks,
    ),
    _fault(
        "threshold_kept_on_one_side", MEDIUM, "λ itself stays and −λ does not: two comparisons, one of them wrong",
        "ops-nn@423af2a5a", computing(shrinking(lambda x, limit: ~((x < limit) & (x >= -limit)))), _shrinks,
    ),
    _fault(
        "negative_tail_lost", EASY, "only x > λ stays; what lies below −λ is shrunk too", OURS,
        computing(shrinking(lambda x, limit: ~(x <= limit))), _shrinks,
    ),
    _fault(
        "squares_compared", MEDIUM, "x² is compared with λ²: tiny squares vanish and large ones overflow", OURS,
        computing(shrinking(lambda x, limit: ~(x * x <= limit * limit))), _shrinks,
    ),
    _fault(
        "threshold_with_a_margin", MEDIUM, "elements within a millionth of the threshold count as equal to it", OURS,
        computing(shrinking(lambda x, limit: ~(np.abs(x) <= limit * np.float32(1.000001)))), _shrinks,
    ),
    _fault(
        "nan_shrunk_in_whole_registers", MEDIUM,
        "a NaN element is shrunk to 0 in whole vector registers and stays in the remainder",
        "pytorch#195075, pytorch#81138", computing(shrinking(select=_shrunk_in_registers)), only("aclnnHardshrink"),
    ),
    _fault(
        "nan_lost_in_whole_registers", MEDIUM,
        "NaN results become 0 in whole vector registers and stay in the remainder", "pytorch#81138",
        changing_outputs(_float_only(_nan_lost_in_whole_registers)), except_on("aclnnHardshrink"),
    ),
    _fault(
        "zero_passes_as_positive", EASY, "x ≥ 0 instead of x > 0 picks the branch", "ops-nn@52d86f03c",
        computing(prelu(positive=lambda x: x >= 0)), has_slopes,
    ),
    _fault(
        "sign_bit_decides", MEDIUM, "the sign bit picks the branch, so that 0 is positive and −0 negative",
        "oneDNN#139", computing(prelu(positive=lambda x: ~np.signbit(x))), has_slopes,
    ),
    _fault(
        "nan_takes_no_branch", EASY, "x > 0 ? a : x ≤ 0 ? b : 0 — a NaN falls through to 0",
        "ops-nn@3dec8c86e, pytorch#138385", computing(_NO_BRANCH),
        only("aclnnPrelu", "aclnnPreluBackward", "aclnnSeluBackward"),
    ),
    _fault(
        "selected_by_multiplication", MEDIUM, "branches are mixed by mask · a + (1 − mask) · b: infinity · 0 is NaN",
        "ops-nn@45e1b8c37, mxnet#14673", computing(_BY_MULTIPLICATION),
        only("aclnnHardshrink", "aclnnHardshrinkBackward", "aclnnPrelu", "aclnnPreluBackward", "aclnnSeluBackward"),
    ),
    _fault(
        "nan_becomes_zero", EASY, "every NaN result is replaced by 0", "mindspore#373, mindspore#380, oneDNN#5370",
        changing_outputs(_float_only(lambda o: _replacing(_is_nan(o), o.values, 0))),
    ),
    _fault(
        "nan_becomes_infinity", EASY, "every NaN result is replaced by infinity", "mindspore#381",
        changing_outputs(_float_only(lambda o: _replacing(_is_nan(o), o.values, np.inf))),
    ),
    _fault(
        "nan_becomes_largest", EASY, "every NaN result is replaced by the largest number", OURS,
        changing_outputs(_float_only(lambda o: _replacing(_is_nan(o), o.values, _largest(o)))),
    ),
    _fault(
        "infinity_becomes_nan", EASY, "infinite results turn into NaN", OURS,
        changing_outputs(_float_only(lambda o: _replacing(_is_infinite(o), o.values, np.nan))),
    ),
    _fault(
        "infinity_becomes_largest", EASY, "infinite results saturate at a large finite number", OURS,
        changing_outputs(_float_only(lambda o: _replacing(_is_infinite(o), o.values, _largest(o)))),
    ),
    _fault(
        "sign_of_infinity_lost", EASY, "−∞ comes out as +∞", OURS, changing_outputs(_sign_of_infinity_lost),
    ),
    _fault(
        "nan_spoils_its_block", EASY, "one NaN makes its whole block of 32 bytes NaN", "ops-nn@45e1b8c37",
        changing_outputs(_spoils_its_block),
    ),
)  # fmt: skip
"""Faults of this class."""
