"""Values of ATK's inputs ⇄ values of native arguments, and what one of the two cannot say of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import Any

import numpy as np

from conformance.case import TensorSpec, ValueSpec
from conformance.dtype import DType, Kind
from conformance.foreign.bind import Unbound
from conformance.foreign.draw import as_elements, finite, whole_bounds
from conformance.foreign.spans import Choice, Constant, Infinities, Literal, Normal, Span, Uniform
from conformance.number import parse_number, write_number

_WIDEST = float(np.finfo(np.float64).max) / 2
"""Bounds that lie no further apart than float64 can say."""
DEFAULT_VALUES = ValueSpec("uniform", [-2.0, 2.0])
"""What a native tensor without values holds."""


@dataclass(frozen=True, slots=True)
class Translated:
    """Native values of a tensor, and what ATK says beyond them ("" for nothing)."""

    values: Mapping[str, Any]
    lost: str = ""


class NotSaid(Exception):
    """Native values that ATK's files have no notation for; the text says which."""


def native_values(span: Span, tensor: TensorSpec) -> Translated:
    """Native values of a tensor that ATK fills from a span; raises Unbound where nobody knows how it does."""
    dtype = tensor.dtype
    if isinstance(span, Constant):
        return Translated({"constant": _element(span.value, dtype)})
    if isinstance(span, Infinities):
        both = [_element(end, dtype) for end in (float("-inf"), float("inf"))]
        return Translated({"cycle": both}, "either infinity in each element: here they take turns")
    if isinstance(span, (Choice, Literal)):
        return _listed(span.values, tensor)
    if isinstance(span, Normal):
        return _gaussian(span, dtype)
    if isinstance(span, Uniform):
        return _whole(span, dtype) if _holds_whole(dtype) else _real(span, dtype)
    raise Unbound("data that no native kind of values describes")


def _holds_whole(dtype: DType) -> bool:
    return dtype.is_integer or dtype.kind is Kind.BOOL


def _element(value: Any, dtype: DType) -> Any:
    """A number as a tensor of the type holds it when ATK casts it, for JSON."""
    if isinstance(value, str):
        raise Unbound(f"{value!r} is no number for a tensor")
    if _holds_whole(dtype):
        number = float(value) if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63 else value
        return int(as_elements(np.array([number]), dtype)[0])
    return write_number(int(value) if isinstance(value, bool) else value)


def _listed(written: Sequence[Any], tensor: TensorSpec) -> Translated:
    values = [_element(value, tensor.dtype) for value in written]
    if len(values) == prod(tensor.shape):
        return Translated({"list": values})
    odd = "" if len(values) % 2 else "an even number of values in turn: here the first stands twice in each round"
    return Translated({"cycle": values}, odd)


def _gaussian(span: Normal, dtype: DType) -> Translated:
    lost = []
    if span.mean[0] != span.mean[1] or span.deviation[0] != span.deviation[1]:
        lost.append("nd whose mean and deviation are drawn: here they are the middles")
    if _holds_whole(dtype):
        lost.append("nd cut off to whole numbers: here it is rounded")
    middles = [low / 2 + high / 2 for low, high in (span.mean, span.deviation)]
    return Translated({"normal": [middles[0], abs(middles[1])]}, "; ".join(lost))


def _whole(span: Uniform, dtype: DType) -> Translated:
    low, after = whole_bounds(span, dtype)
    same = (span.low + span.open_low, span.high - span.open_high) == (low, after - 1)
    return Translated({"integers": [low, after - 1]}, "" if same else "bounds that no whole number of the type has")


def _real(span: Uniform, dtype: DType) -> Translated:
    bounds = [int(bound) if isinstance(bound, bool) else bound for bound in (span.low, span.high)]
    lost = ["an open end of an interval"] if span.open_low or span.open_high else []
    if dtype.kind is Kind.COMPLEX:
        lost.append("imaginary parts: here they are 0")
    if not all(isfinite(bound) for bound in bounds):
        lost.append("an infinite bound: here it is the largest number of the type")
        bounds = [finite(bound, dtype) for bound in bounds]
    if not isfinite(float(bounds[1]) - float(bounds[0])):
        lost.append("bounds too far apart for float64: here they are halved")
        bounds = [min(max(float(bound), -_WIDEST), _WIDEST) for bound in bounds]
    return Translated({"uniform": [write_number(bound) for bound in bounds]}, "; ".join(lost))


def range_of(tensor: TensorSpec) -> Any:
    """``range_values`` that say what a native tensor holds; raises NotSaid."""
    values, whole = tensor.values or DEFAULT_VALUES, _holds_whole(tensor.dtype)
    kind, argument = values.kind, values.argument
    if kind == "constant":
        return _word(argument)
    if values.each > 1 or kind not in ("uniform", "integers", "normal"):
        raise NotSaid(f"values of the kind {kind}")
    if kind != "integers" and whole:
        raise NotSaid(f"values of the kind {kind} in a tensor of whole numbers")
    if kind == "integers" and not whole:
        raise NotSaid("whole numbers in a tensor of others")
    ends = [parse_number(end) for end in argument]
    if kind == "normal":
        return {"name": "nd", "mean": [ends[0]] * 2, "std": [ends[1]] * 2}
    return ends


def _word(written: Any) -> Any:
    """A native number as ATK writes it: what JSON cannot hold as a word."""
    number = parse_number(written)
    return number if isfinite(number) else written


def said_alike(ours: TensorSpec, read: TensorSpec) -> bool:
    """Whether two tensors, one of them read back from ATK's file, are one and hold the same values."""
    mine, theirs = (_plain(one.values or DEFAULT_VALUES) for one in (ours, read))
    unfilled = not prod(ours.shape) or ours.dtype.carrier is None
    return _place(ours) == _place(read) and (unfilled or mine == theirs)


def _place(tensor: TensorSpec) -> Sequence[Any]:
    layout = (tensor.strides, tensor.offset, tensor.storage_shape)
    return (tensor.dtype, tensor.shape, *layout, tensor.format, tensor.alias)


def _plain(values: ValueSpec) -> tuple[str, str, int]:
    """Values with every number in one spelling."""
    return values.kind, repr(_numbers(values.argument)), values.each


def _numbers(argument: Any) -> Any:
    if isinstance(argument, dict):
        return {key: _numbers(value) for key, value in sorted(argument.items())}
    if isinstance(argument, list):
        return [_numbers(item) for item in argument]
    try:
        number = parse_number(argument)
    except ValueError:
        return argument
    return float(number) if abs(number) < 1 << 53 else number
