"""Inputs of a case → the arguments of a contract's API: by name, or by position where no name says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from conformance.call import Attribute, Scalar
from conformance.case import ArgumentSpec, TensorSpec
from conformance.contract import Contract
from conformance.dtype import DTYPES, DType
from conformance.foreign.input_rules import undefined_by
from conformance.foreign.inputs import ATTRIBUTES, SCALARS, TENSORS, Input, Inputs
from conformance.foreign.matching import TENSOR_KINDS, matching, plain
from conformance.foreign.spans import Choice, Constant, Infinities, Literal, Normal, Omitted, Span, Uniform
from conformance.layout import Layout
from conformance.number import round_to
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import Format, Shape, contiguous_strides

Given = Input | tuple[Input, ...]
_WHOLE = frozenset({ParameterKind.INT64, ParameterKind.INT32})
_REAL = frozenset({ParameterKind.DOUBLE, ParameterKind.FLOAT})
_ELEMENTS = {
    ParameterKind.INT_ARRAY: ParameterKind.INT64,
    ParameterKind.FLOAT_ARRAY: ParameterKind.FLOAT,
    ParameterKind.BOOL_ARRAY: ParameterKind.BOOL,
}
_FORMAT = "format"
AS_SEEN = frozenset({"", "ND", "NC", "NCL", "NCHW", "NHWC", "HWCN", "NDHWC", "NCDHW", "DHWCN", "CHWN"})
"""Formats in which a tensor has the shape that a caller sees; in others it is laid out for a kernel."""


class Unbound(Exception):
    """A case that cannot be made into a call of its API's contract; the text says why."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What is drawn for one parameter when the call is made: elements of a tensor, or a number."""

    parameter: str
    dtype: DType
    span: Span


@dataclass(frozen=True, slots=True)
class Bound:
    """Arguments of all parameters that a case gives, outputs left out, and what is drawn for them, in file order.

    A number that is drawn stands among the arguments as the middle of its span.
    """

    arguments: Mapping[str, ArgumentSpec]
    draws: tuple[Draw, ...]


def bind(inputs: Inputs, contract: Contract, sliced: bool = False, apart: bool = False) -> Bound:
    """The inputs as arguments; raises Unbound.

    ``sliced`` lays every tensor out with gaps, as ATK does. ``apart`` matches tensors among themselves, and all else
    too: then a file need not give both in the order of the call.
    """
    layout = _format_of(inputs)
    arguments: dict[str, ArgumentSpec] = {}
    draws: list[Draw] = []
    for parameter, item in matched(inputs, contract, apart):
        arguments[parameter.name] = _argument(parameter, item, layout, sliced)
        why = undefined_by(contract, parameter.name, _values(item)) if parameter.kind not in TENSOR_KINDS else ""
        if why:
            raise Unbound(why)
        draws.extend(_draws(parameter, item))
    for parameter in read_parameters(contract):
        if parameter.name not in arguments:
            if not (parameter.optional and parameter.is_pointer):
                raise Unbound(f"nothing is given for {parameter.name} of {contract.api}")
            arguments[parameter.name] = None
    return Bound(arguments, tuple(draws))


def read_parameters(contract: Contract) -> list[Parameter]:
    """Parameters that inputs are given for: all that the call reads, in prototype order."""
    return [p for p in contract.parameters if p.role is not Role.OUTPUT]


def matched(inputs: Inputs, contract: Contract, apart: bool = False) -> list[tuple[Parameter, Given]]:
    """Each input that the call gets with its parameter, in the order of the file; raises Unbound where none fits."""
    wanted = read_parameters(contract)
    given = [item for item in inputs if _first(item).is_argument]
    if not apart:
        return _pairs(given, wanted, contract.api)
    tensors = [item for item in given if _first(item).type in TENSORS]
    others = [item for item in given if _first(item).type not in TENSORS]
    read = [p for p in wanted if p.kind in TENSOR_KINDS]
    rest = [p for p in wanted if p.kind not in TENSOR_KINDS]
    return [*_pairs(tensors, read, contract.api), *_pairs(others, rest, contract.api)]


def _pairs(given: list[Given], wanted: list[Parameter], api: str) -> list[tuple[Parameter, Given]]:
    parameters = matching([(_first(item).name, _first(item).type in TENSORS) for item in given], wanted)
    if parameters is None:
        theirs = ", ".join(_first(item).name or "unnamed" for item in given)
        ours = ", ".join(p.name for p in wanted)
        if len(given) <= len(wanted) and {plain(_first(item).name) for item in given} & {plain(p.name) for p in wanted}:
            odd = "names and positions contradict each other, and which parameter the other names mean is not clear"
            raise Unbound(f"inputs ({theirs}) of {api}({ours}): {odd}")
        raise Unbound(f"{len(given)} inputs ({theirs}) fit {api}({ours}) neither by name nor by position")
    return list(zip(parameters, given, strict=True))


def _first(item: Given) -> Input:
    return item[0] if isinstance(item, tuple) else item


def _format_of(inputs: Inputs) -> str:
    """Format of all tensors that an attribute for executors names, such as NCHW."""
    for item in inputs:
        one = _first(item)
        if not one.is_argument and one.name == _FORMAT and isinstance(one.span, Constant):
            return str(one.span.value)
    return ""


def _argument(parameter: Parameter, item: Given, layout: str, sliced: bool) -> ArgumentSpec:
    if isinstance(_first(item).span, Omitted):
        if not parameter.is_pointer:
            raise Unbound(f"{parameter.name} is left out, but it is no pointer that could be null")
        return None
    if isinstance(item, tuple):
        return _array(parameter, item)
    kind = parameter.kind
    if kind is ParameterKind.TENSOR and item.type == "tensor" and item.dtype is not None:
        return _tensor(item, item.dtype, layout, sliced)
    if item.type not in ATTRIBUTES | SCALARS or kind in TENSOR_KINDS:
        raise Unbound(f"{parameter.name} is of kind {kind.value}, a {item.type} is given for it")
    if (kind in _ELEMENTS) is not isinstance(item.span, Literal):
        what = "an array, one value is" if kind in _ELEMENTS else f"one {kind.value}, a list is"
        raise Unbound(f"{parameter.name} is {what} given for it")
    if isinstance(item.span, Literal):
        return Attribute(kind, tuple(_plain_value(parameter, _ELEMENTS[kind], value) for value in item.span.values))
    return _single(parameter, item)


def _single(parameter: Parameter, item: Input) -> Scalar | Attribute:
    value, kind = middle(item.span), parameter.kind
    if kind is not ParameterKind.SCALAR:
        for end in _ends(item.span):
            _plain_value(parameter, kind, end)
        if kind in _WHOLE and isinstance(item.span, Normal):
            raise Unbound(f"{parameter.name} is of kind {kind.value}, normal numbers are drawn for it")
        if not isinstance(item.span, Uniform):
            return Attribute(kind, _plain_value(parameter, kind, value))
        if kind in _WHOLE and item.dtype is not None and item.dtype.is_float and item.span.low != item.span.high:
            raise Unbound(f"{parameter.name} is of kind {kind.value}, numbers of {item.word} are drawn for it")
        return Attribute(kind, _plain_value(parameter, kind, int(value) if kind in _WHOLE else value))
    texts = [one for one in (value, *_ends(item.span)) if isinstance(one, str)]
    if item.dtype is None or item.dtype.numpy is None or isinstance(value, str) or texts:
        raise Unbound(f"{parameter.name} is an aclScalar, {(*texts, value)[0]!r} is no number for it")
    for one in _elements(item.span):
        if item.dtype.is_integer and isfinite(one) and one != int(one):
            raise Unbound(f"{parameter.name} is an aclScalar of {item.dtype}, which {one!r} is not")
    return scalar_of(item.dtype, value)


def scalar_of(dtype: DType, value: int | float | bool) -> Scalar:
    """A number as scalars of a type hold it; an integer type has no infinity, its extremes stand in for it."""
    if not dtype.is_integer or isinstance(value, int):
        return Scalar(dtype, round_to(dtype, value))
    return Scalar(dtype, int(value) if isfinite(value) else 0)


def _array(parameter: Parameter, items: tuple[Input, ...]) -> ArgumentSpec:
    kind = parameter.kind
    if kind not in _ELEMENTS or any(item.type not in ATTRIBUTES for item in items):
        raise Unbound(f"{parameter.name} is of kind {kind.value}, a list of {items[0].type} is given for it")
    return Attribute(kind, tuple(_plain_value(parameter, _ELEMENTS[kind], middle(item.span)) for item in items))


def _plain_value(parameter: Parameter, kind: ParameterKind, value: Any) -> Any:
    """The value as a C argument of that kind holds it."""
    if kind is ParameterKind.STRING and isinstance(value, str):
        return value
    if kind is not ParameterKind.STRING and not isinstance(value, str):
        if kind in _REAL:
            return float(value)
        if _fits(kind, value):
            return bool(value) if kind is ParameterKind.BOOL else int(value)
    raise Unbound(f"{parameter.name} is of kind {kind.value}, {value!r} is no value for it")


def _fits(kind: ParameterKind, value: float) -> bool:
    """Whether a number is one that a whole or a truth can be, without a fraction."""
    bits = 31 if kind is ParameterKind.INT32 else 63
    in_range = kind is ParameterKind.BOOL or -(1 << bits) <= value < 1 << bits
    return isfinite(value) and in_range and value == int(value)


def _ends(span: Span) -> tuple[Any, ...]:
    """What a number that is drawn lies among."""
    if isinstance(span, Choice):
        return span.values
    return (span.low, span.high) if isinstance(span, Uniform) else ()


def middle(span: Span) -> int | float | bool | str:
    """A value of a span that says what kind of value it is: the constant, the middle, the first choice."""
    if isinstance(span, Constant):
        return span.value
    if isinstance(span, Choice):
        return span.values[0]
    if isinstance(span, Uniform):
        whole = isinstance(span.low, int) and isinstance(span.high, int) and (span.low + span.high) % 2 == 0
        return (span.low + span.high) // 2 if whole else span.low / 2 + span.high / 2
    return float("inf") if isinstance(span, Infinities) else 0.0


def bound_tensor(item: Input) -> TensorSpec:
    """A tensor as the file states it, such as an output; raises Unbound."""
    if item.dtype is None or item.type != "tensor":
        raise Unbound(f"a {item.type} of type {item.word!r} stands where a tensor is wanted")
    return _tensor(item, item.dtype, "", False)


def _tensor(item: Input, dtype: DType, layout: str, sliced: bool) -> TensorSpec:
    shape = item.shape or ()
    if any(size < 0 for size in shape):
        raise Unbound(f"a tensor has the shape {list(shape)}, which leaves sizes open")
    if item.span == Literal(()):
        raise Unbound(f"a tensor of shape {list(shape)} gets an empty list of values")
    texts = [value for value in _elements(item.span) if isinstance(value, str)]
    if texts:
        raise Unbound(f"a tensor of shape {list(shape)} gets {texts[0]!r}, which is no number")
    view = item.view or (_sliced(shape) if sliced else Layout(contiguous_strides(shape), 0, shape))
    form = _tensor_format(item.format or layout, shape)
    return TensorSpec(dtype, shape, view.strides, view.offset, view.storage_shape, form)


def _values(item: Given) -> tuple[Any, ...]:
    """The numbers that a file states for one argument, or between which it is drawn."""
    return () if isinstance(item, tuple) else (*_elements(item.span), *_ends(item.span))


def _elements(span: Span) -> tuple[Any, ...]:
    """Values that a file states for a tensor."""
    if isinstance(span, Constant):
        return (span.value,)
    return span.values if isinstance(span, (Choice, Literal)) else ()


def _sliced(shape: Shape) -> Layout:
    """Every second row of a tensor that has twice as many."""
    strides = contiguous_strides(shape)
    return Layout((2 * strides[0], *strides[1:]), 0, (2 * shape[0], *shape[1:])) if shape else Layout(strides, 0, shape)


def _tensor_format(word: str, shape: Shape) -> Format:
    """The format where it is known and has as many letters as the tensor has axes; ND otherwise."""
    if word.upper() not in AS_SEEN and not set(word.upper().split("_")) <= AS_SEEN:
        raise Unbound(f"a tensor has the format {word}, which is none that a caller's tensor has"[:120])
    known = word in Format.__members__ and len(word) == len(shape)
    return Format[word] if known else Format.ND


def _draws(parameter: Parameter, item: Given) -> Iterator[Draw]:
    """What is drawn of an input; numbers that the file states take nothing from the stream."""
    if isinstance(item, tuple) or isinstance(item.span, Omitted):
        return
    if parameter.kind is ParameterKind.TENSOR or isinstance(item.span, (Uniform, Choice, Normal)):
        yield Draw(parameter.name, item.dtype or DTYPES["float32"], item.span)
