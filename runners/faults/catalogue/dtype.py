"""Faults in types: too few digits on the way, wrong rounding at the end, casts too early, bits misread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from conformance.contract import Contract
from conformance.dtype import BY_NUMPY, DTYPES
from conformance.standard import ComparisonClass
from conformance.tensor import Array
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import (
    Build,
    Compute,
    Output,
    changing_calls,
    changing_inputs,
    changing_outputs,
    patched,
    with_unit,
)
from runners.faults.units import (
    SIXTEEN_BITS,
    Coarse,
    Delivering,
    Dividing,
    Exponential,
    Loading,
    ties_away,
    to_bits,
    towards_zero,
    twice,
    upwards,
)
from runners.faults.units import through as rounded_through
from runners.faults.where import computes, copies, declares, has_output, mixes_types, only
from runners.simulator.arithmetic import round_to
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import VectorUnit

_fault = partial(Fault, FaultClass.DTYPE)
_exponentials = only("aclnnSilu", "aclnnSiluBackward")
_chains = has_output(ComparisonClass.ELEMENTWISE)
_products = has_output(ComparisonClass.ROUNDED)
_takes_bfloat16 = declares("dtype/*/bfloat16/{product}")
_whole_int64 = only(
    "aclnnRelu", "aclnnInplaceRelu", "aclnnThreshold", "aclnnInplaceThreshold", "aclnnAddRelu", "aclnnInplaceAddRelu",
)  # fmt: skip
_FLOAT32 = np.dtype(np.float32)
_BFLOAT16 = np.dtype(DTYPES["bfloat16"].numpy)
_FLOAT16 = np.dtype(np.float16)


def _from(wanted: np.dtype[np.generic], name: str) -> Callable[[Array], Array]:
    """Elements of one type by way of another; others as they are."""
    return lambda values: round_to(values, DTYPES[name]) if values.dtype == wanted else values


def _inputs_from(wanted: np.dtype[np.generic], name: str) -> Build:
    change = _from(wanted, name)
    return changing_inputs(lambda values, call: change(values).astype(values.dtype))


def _own_precision(dtype: object) -> VectorUnit:
    name = getattr(dtype, "name", "")
    return Coarse(rounded_through(name)) if name in SIXTEEN_BITS else VectorUnit()


def _float16_as_bfloat16(values: Array, call: KernelCall) -> Array:
    return values.view(_BFLOAT16).astype(_FLOAT16) if values.dtype == _FLOAT16 else values


def _moved_as_float16(output: Output) -> Array:
    """bfloat16 multiplied by 1 as float16: its infinity is a NaN there, and leaves the unit as the unit's own NaN."""
    if output.values.dtype != _BFLOAT16:
        return output.values
    bits = output.values.view(np.uint16)
    special = (bits & 0x7FFF) > 0x7C00
    return np.where(special, 0x7E00, bits).astype(np.uint16).view(_BFLOAT16).reshape(output.values.shape)


def _narrowest_first(call: KernelCall, contract: Contract) -> KernelCall:
    narrow = min((array.dtype for array in call.inputs.values()), key=lambda dtype: dtype.itemsize)
    if narrow == _FLOAT32:
        return call
    inputs = {n: a.astype(narrow).astype(a.dtype) for n, a in call.inputs.items()}
    return replace(call, inputs=inputs)


def _second_through_half(call: KernelCall, contract: Contract) -> KernelCall:
    name = list(call.inputs)[1]
    inputs = {**call.inputs, name: _from(_FLOAT32, "float16")(call.inputs[name]).astype(call.inputs[name].dtype)}
    return replace(call, inputs=inputs)


def _not_converted(sound: Compute, call: KernelCall, contract: Contract) -> Mapping[str, Array]:
    """The bits of the first input's type are delivered as the output's."""
    given = next(iter(call.inputs.values())).dtype
    results = dict(sound(call))
    for name, values in results.items():
        if values.dtype != given and BY_NUMPY[values.dtype].is_float:
            bits = np.resize(np.ascontiguousarray(values.astype(given)).reshape(-1).view(values.dtype), values.size)
            results[name] = bits.reshape(values.shape)
    return results


def _small_results_lost(output: Output) -> Array:
    if output.dtype.is_float:
        output.values[np.abs(output.values.astype(np.float64)) < 1e-7] = 0
    return output.values


def _subnormals_lost(output: Output) -> Array:
    if output.dtype.is_float:
        tiny = {"float16": 2.0**-14}.get(output.dtype.name, 2.0**-126)
        output.values[np.abs(output.values.astype(np.float64)) < tiny] = 0
    return output.values


def _unsigned(values: Array, call: KernelCall) -> Array:
    return np.where(values < 0, np.iinfo(values.dtype).max, values) if values.dtype.kind == "i" else values


def _through_int8(values: Array, call: KernelCall) -> Array:
    return values.astype(np.int8).astype(values.dtype) if values.dtype == np.int32 else values


def _through_float64(values: Array, call: KernelCall) -> Array:
    return round_to(values.astype(np.float64), DTYPES["int64"]) if values.dtype == np.int64 else values


def _results_through(wanted: np.dtype[np.generic], name: str) -> Build:
    change = _from(wanted, name)
    return changing_outputs(lambda output: change(output.values).astype(output.values.dtype))


def _coarse_exp(x: Array) -> Array:
    return to_bits(10)(np.exp(x))


def _short_series(x: Array) -> Array:
    """2^n times a cubic in the rest: four digits."""
    power = x * np.float32(1.4426950408889634)
    whole = np.rint(power)
    rest = (power - whole) * np.float32(0.6931471805599453)
    cubic = np.float32(1) + rest * (np.float32(1) + rest * (np.float32(0.5) + rest * np.float32(1 / 6)))
    return np.asarray(cubic * np.exp2(whole), np.float32)


def _estimated(numerator: Array, denominator: Array) -> Array:
    return np.asarray(numerator * to_bits(12)(np.float32(1) / denominator), np.float32)


FAULTS = (
    _fault(
        "computed_in_16_bits", MEDIUM, "every step is rounded to the 16-bit type of the tensors", "flashinfer#5344",
        with_unit(_own_precision), _chains,
    ),
    _fault(
        "computed_with_ten_bits", MEDIUM, "float32 is computed with ten fraction bits, as matrix units do", OURS,
        with_unit(lambda dtype: Coarse(to_bits(10))), computes,
    ),
    _fault(
        "float32_through_float16", EASY, "float32 inputs pass through float16", "ops-nn@802f62cf8",
        _inputs_from(_FLOAT32, "float16"),
    ),
    _fault(
        "float32_through_bfloat16", EASY, "float32 inputs pass through bfloat16", OURS,
        _inputs_from(_FLOAT32, "bfloat16"),
    ),
    _fault(
        "bfloat16_through_float16", MEDIUM, "bfloat16 inputs pass through float16 and lose their range", OURS,
        _inputs_from(_BFLOAT16, "float16"), _takes_bfloat16,
    ),
    _fault(
        "float16_through_bfloat16", EASY, "float16 inputs pass through bfloat16", OURS,
        _inputs_from(_FLOAT16, "bfloat16"),
    ),
    _fault(
        "loaded_with_fifteen_bits", MEDIUM, "float32 inputs lose eight of their 23 fraction bits when loaded", OURS,
        with_unit(lambda dtype: Loading(lambda v: to_bits(15)(v) if v.dtype == _FLOAT32 else v)), computes,
    ),
    _fault(
        "float16_read_as_bfloat16", EASY, "the bits of float16 are read as bfloat16", "ops-nn@fd526da65",
        changing_inputs(_float16_as_bfloat16),
    ),
    _fault(
        "bfloat16_moved_as_float16", MEDIUM, "bfloat16 is moved by multiplying its bits by 1 as float16",
        "ops-nn@678cacee2", changing_outputs(_moved_as_float16), _takes_bfloat16,
    ),
    _fault(
        "truncated_results", MEDIUM, "16-bit results are cut off instead of rounded", "pytorch#110285, onnx#4237",
        with_unit(lambda dtype: Delivering(towards_zero)), computes,
    ),
    _fault(
        "results_away_from_zero", MEDIUM, "16-bit results are rounded away from zero", OURS,
        with_unit(lambda dtype: Delivering(upwards)), computes,
    ),
    _fault(
        "ties_away_from_zero", HARD, "16-bit results halfway between two numbers are rounded away from zero",
        "ops-nn@2595ef521", with_unit(lambda dtype: Delivering(ties_away)), _products,
    ),
    _fault(
        "rounded_twice", HARD, "16-bit results are rounded to one digit more first", OURS,
        with_unit(lambda dtype: Delivering(twice)), computes,
    ),
    _fault(
        "float32_results_through_bfloat16", EASY, "float32 results pass through bfloat16", OURS,
        _results_through(_FLOAT32, "bfloat16"),
    ),
    _fault(
        "float32_results_through_float16", EASY, "float32 results pass through float16", OURS,
        _results_through(_FLOAT32, "float16"),
    ),
    _fault(
        "bfloat16_results_through_float16", MEDIUM, "bfloat16 results pass through float16 and lose their range", OURS,
        _results_through(_BFLOAT16, "float16"), _takes_bfloat16,
    ),
    _fault(
        "exp_of_ten_bits", MEDIUM, "the exponential has ten fraction bits", "ops-nn@bcc65a046",
        with_unit(lambda dtype: Exponential(_coarse_exp)), _exponentials,
    ),
    _fault(
        "exp_by_short_series", MEDIUM, "the exponential is a cubic: four digits", "tt-metal#56517",
        with_unit(lambda dtype: Exponential(_short_series)), _exponentials,
    ),
    _fault(
        "division_by_estimate", MEDIUM, "1/x is an estimate of twelve bits without a Newton step", "ops-nn@1d6ead9f0",
        with_unit(lambda dtype: Dividing(_estimated)), _exponentials,
    ),
    _fault(
        "second_input_through_half", MEDIUM, "the second float32 input alone passes through float16", OURS,
        changing_calls(_second_through_half), lambda contract, product: len(contract.tensors) > 2,
    ),
    _fault(
        "narrowest_type_first", MEDIUM, "inputs of mixed types are cast to the narrower one", "xla#7090",
        changing_calls(_narrowest_first), mixes_types, ("ascend910b", "ascend950"),
        {"aclnnHardshrinkBackward": "its document takes no mixed types, so both answers count"},
    ),
    _fault(
        "result_not_converted", MEDIUM, "the bits of the input's type are delivered as the output's type", OURS,
        patched(_not_converted), only("aclnnPrelu", "aclnnSoftmaxBackward"),
    ),
    _fault(
        "negative_integers_misread", EASY, "negative integers are read as large positive ones", "ops-nn@693692d40",
        changing_inputs(_unsigned), only("aclnnSeluBackward"),
    ),
    _fault(
        "int32_through_int8", MEDIUM, "int32 inputs keep their low byte", "ops-nn@a3e8f30f7",
        changing_inputs(_through_int8), only("aclnnSeluBackward"),
    ),
    _fault(
        "int64_through_float64", MEDIUM, "int64 inputs pass through float64", OURS,
        changing_inputs(_through_float64), _whole_int64,
    ),
    _fault(
        "small_results_lost", MEDIUM, "results below 1e-7 become 0", "ops-nn@bc34c69b3",
        changing_outputs(_small_results_lost),
    ),
    _fault(
        "subnormals_lost_in_copies", MEDIUM, "subnormal elements that are only copied become 0", "ops-nn@c2ebb486f",
        changing_outputs(_subnormals_lost), copies,
    ),
)  # fmt: skip
"""Faults of this class."""
