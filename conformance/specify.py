"""One group body and one set of axis values → argument specifications, steps and expectation."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.call import Attribute, Scalar, Step
from conformance.case import ArgumentSpec, TensorSpec, ValueSpec
from conformance.constraint import Change, Facts, TensorChange
from conformance.contract import Contract
from conformance.dtype import DTYPES, DType
from conformance.errors import InvalidSpec
from conformance.json_text import escape
from conformance.layout import InvalidLayout, Layout, lay_out
from conformance.number import parse_number, round_to
from conformance.protocol import parse_steps
from conformance.signature import OUT_POINTERS, Parameter, ParameterKind
from conformance.tensor import Format
from conformance.values import VALUE_KINDS, complaint_about


class Specified(Struct, frozen=True):
    """A call as specified: every argument in prototype order, null out pointers, steps."""

    arguments: Mapping[str, ArgumentSpec]
    nulls: frozenset[str]
    steps: tuple[Step, ...]

    @property
    def facts(self) -> Facts:
        """What constraints look at."""
        return {**self.arguments, **dict.fromkeys(self.nulls)}

    def as_json(self) -> Any:
        """Everything that makes this call what it is, free of library and platform; feeds the hash in the id."""
        return [
            {name: _as_json(argument) for name, argument in self.arguments.items()},
            sorted(self.nulls),
            [str(step) for step in self.steps],
        ]


def _as_json(argument: ArgumentSpec) -> Any:
    if argument is None:
        return None
    if isinstance(argument, Scalar):
        return [argument.dtype.name, str(argument.value)]
    if isinstance(argument, Attribute):
        return [argument.kind.value, argument.value]
    values = argument.values and [argument.values.kind, argument.values.argument, argument.values.each]
    layout = [argument.shape, argument.strides, argument.offset, argument.storage_shape]
    return [argument.dtype.name, *layout, argument.format.name, values, argument.alias]


def specify(contract: Contract, body: Mapping[str, Any], axes: Mapping[str, Any]) -> Specified:
    """The call that a body asks for with these axis values; raises InvalidSpec."""
    return Form(contract, body).specify(axes)


class Form:
    """What a body says of its calls, read once for all axis values; raises InvalidSpec."""

    def __init__(self, contract: Contract, body: Mapping[str, Any]) -> None:
        self._written: dict[str, Any] = dict(body.get("arguments", {}))
        self._pointers = {name: self._written.pop(name) for name in OUT_POINTERS if name in self._written}
        known = {parameter.name for parameter in contract.parameters}
        for name in self._written:
            if name not in known:
                advice = f"it has {', '.join(sorted(known))}"
                raise InvalidSpec(f"{contract.api} has no parameter {name!r}", advice, f"/arguments/{escape(name)}")
        for parameter in contract.parameters:
            if parameter.name not in self._written:
                raise InvalidSpec(
                    f"argument {parameter.name!r} is missing", "write null for a null pointer", "/arguments"
                )
        self._bound: list[tuple[Parameter, Mapping[str, Any], Any]] = []
        self._arguments: dict[str, ArgumentSpec] = {}
        for parameter in contract.parameters:
            written = self._written[parameter.name]
            if refers(written):  # gets its place here, and its argument later
                self._bound.append((parameter, *_parted(written)))
                self._arguments[parameter.name] = None
            else:
                self._arguments[parameter.name] = _placed(parameter, written)
        self._steps = parse_steps(body)

    def specify(self, axes: Mapping[str, Any]) -> Specified:
        """The call with these axis values; raises InvalidSpec."""
        arguments = dict(self._arguments)
        for parameter, whole, referring in self._bound:
            found = _substituted(parameter.name, referring, axes)
            arguments[parameter.name] = _placed(parameter, {**whole, **found} if whole else found)
        pointers = self._pointers.items()
        nulls = frozenset(name for name, written in pointers if _substituted(name, written, axes) is None)
        return Specified(_resolve_aliases(arguments), nulls, self._steps)


def refers(written: Any) -> bool:
    """Whether something that is written refers to an axis."""
    if isinstance(written, str):
        return written.startswith("$")
    if isinstance(written, (dict, list)):
        return any(map(refers, written.values() if isinstance(written, dict) else written))
    return False


def _parted(written: Any) -> tuple[Mapping[str, Any], Any]:
    """An object whole, and those of its entries that refer to an axis; nothing, and all of what is no object."""
    if not isinstance(written, dict):
        return {}, written
    return written, {key: value for key, value in written.items() if refers(value)}


def _substituted(name: str, written: Any, axes: Mapping[str, Any]) -> Any:
    try:
        return substitute(written, axes)
    except InvalidSpec as error:
        raise InvalidSpec(str(error), error.advice, f"/arguments/{escape(name)}") from None


def substitute(written: Any, axes: Mapping[str, Any]) -> Any:
    """``written`` with every ``$axis`` or ``$axis.key`` string replaced by its value; raises InvalidSpec."""
    if isinstance(written, str) and written.startswith("$"):
        name, _, key = written[1:].partition(".")
        if name not in axes:
            raise InvalidSpec(f"{written} refers to an undeclared axis", f"axes are {', '.join(axes) or 'none'}")
        value = axes[name]
        if not key:
            return value
        if not isinstance(value, dict) or key not in value:
            raise InvalidSpec(f"{written}: a value of axis {name!r} has no key {key!r}", "give every value that key")
        return value[key]
    if isinstance(written, dict):
        return {k: substitute(v, axes) if v.__class__ in _MAY_REFER else v for k, v in written.items()}
    if isinstance(written, list):
        return [substitute(v, axes) if v.__class__ in _MAY_REFER else v for v in written]
    return written


_MAY_REFER = frozenset({str, dict, list})
"""What JSON becomes that is more than a number or a word of its own."""


def _placed(parameter: Parameter, written: Any) -> ArgumentSpec:
    """The argument; whatever is wrong with it is said with the place where it stands."""
    try:
        return _argument(parameter, written)
    except InvalidSpec as error:
        raise InvalidSpec(str(error), error.advice, f"/arguments/{parameter.name}") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidSpec(f"{parameter.name}: {error}", "", f"/arguments/{parameter.name}") from None


def _argument(parameter: Parameter, written: Any) -> ArgumentSpec:
    if written is None:
        if not parameter.is_pointer:
            raise InvalidSpec(f"{parameter.name} is no pointer, it cannot be null")
        return None
    if parameter.kind is ParameterKind.TENSOR:
        return _tensor(parameter.name, written)
    if parameter.kind is ParameterKind.SCALAR:
        return _scalar(parameter.name, written)
    return _attribute(parameter, written)


def _tensor(name: str, written: Any) -> TensorSpec:
    if not isinstance(written, dict) or "scalar" in written:
        raise InvalidSpec(f"{name} is a tensor; write an object with dtype and shape")
    if "alias" in written:
        if len(written) > 1:
            raise InvalidSpec(f"{name}: an alias has everything from {written['alias']!r}", "drop the other keys")
        return TensorSpec(DTYPES["float32"], (), (), 0, (), alias=written["alias"])
    if "dtype" not in written or "shape" not in written:
        raise InvalidSpec(f"{name} lacks {' and '.join(sorted({'dtype', 'shape'} - set(written)))}")
    shape = written["shape"]
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        raise InvalidSpec(f"{name}: {shape!r} is no shape", "a shape is a list of integers from 0")
    layout = _layout(name, tuple(shape), written.get("layout", "contiguous"))
    spec = TensorSpec(
        _dtype(name, written["dtype"]),
        tuple(shape),
        layout.strides,
        layout.offset,
        layout.storage_shape,
        _format(name, written.get("format", "ND")),
        _values(name, written.get("values")),
    )
    _check_values(name, spec)
    return spec


def _check_values(name: str, spec: TensorSpec) -> None:
    values = spec.values
    if values is None:
        return
    if values.kind == "list" and isinstance(values.argument, list):
        _check_list(name, values, prod(spec.distinct_shape))
    complaint = complaint_about(values.kind, values.argument, values.each, spec.dtype, len(spec.shape))
    if complaint:
        raise InvalidSpec(f"{name}: {complaint}")


def _check_list(name: str, values: ValueSpec, elements: int) -> None:
    wanted = -(-elements // values.each)
    if len(values.argument) != wanted:
        each = f", each {values.each} times," if values.each > 1 else ""
        what = f"{name}: a list of {len(values.argument)} values{each} for {elements} elements"
        raise InvalidSpec(what, f"list {wanted} values")


def _layout(name: str, shape: tuple[int, ...], word: Any) -> Layout:
    try:
        return lay_out(shape, word)
    except InvalidLayout as error:
        raise InvalidSpec(f"{name}: {error}") from None


def _dtype(name: str, word: Any) -> DType:
    if not isinstance(word, str) or word not in DTYPES:
        raise InvalidSpec(f"{name}: unknown dtype {word!r}", f"dtypes are {', '.join(DTYPES)}")
    return DTYPES[word]


def _format(name: str, word: Any) -> Format:
    if not isinstance(word, str) or word not in _FORMATS:
        raise InvalidSpec(f"{name}: unknown format {word!r}", f"formats are {', '.join(_FORMATS)}")
    return _FORMATS[word]


_FORMATS: Mapping[str, Format] = dict(Format.__members__)


def _values(name: str, written: Any) -> ValueSpec | None:
    if written is None:
        return None
    kinds = [key for key in written if key != "each"] if isinstance(written, dict) else []
    if len(kinds) != 1 or kinds[0] not in VALUE_KINDS:
        raise InvalidSpec(f"{name}: values name one kind of {', '.join(VALUE_KINDS)}")
    return ValueSpec(kinds[0], written[kinds[0]], written.get("each", 1))


def _scalar(name: str, written: Any) -> Scalar:
    if not isinstance(written, dict) or "scalar" not in written:
        raise InvalidSpec(f'{name} is an aclScalar; write {{"scalar": number, "dtype": name}}')
    dtype = _dtype(name, written.get("dtype", "float32"))
    return Scalar(dtype, round_to(dtype, parse_number(written["scalar"])))


def _attribute(parameter: Parameter, written: Any) -> Attribute:
    kind, name = parameter.kind, parameter.name
    if kind in (ParameterKind.INT64, ParameterKind.INT32) and type(written) is int:
        return Attribute(kind, written)
    if kind in (ParameterKind.DOUBLE, ParameterKind.FLOAT) and not isinstance(written, (bool, list, dict)):
        return Attribute(kind, float(parse_number(written)))
    if kind is ParameterKind.BOOL and isinstance(written, bool):
        return Attribute(kind, written)
    if kind is ParameterKind.STRING and isinstance(written, str):
        return Attribute(kind, written)
    if kind.value.endswith("_array") and isinstance(written, list):
        return Attribute(kind, tuple(written))
    raise InvalidSpec(f"{name} is of kind {kind.value}, {written!r} is not")


def _resolve_aliases(arguments: dict[str, ArgumentSpec]) -> dict[str, ArgumentSpec]:
    resolved = dict(arguments)
    for name, argument in arguments.items():
        if isinstance(argument, TensorSpec) and argument.alias is not None:
            target = arguments.get(argument.alias)
            if not isinstance(target, TensorSpec) or target.alias is not None:
                what = f"{name}: alias {argument.alias!r} names no tensor of this call"
                raise InvalidSpec(what, "name a tensor that is no alias itself", f"/arguments/{name}")
            resolved[name] = replace(target, alias=argument.alias)
    return resolved


def change_arguments(spec: Specified, changes: Mapping[str, Change]) -> Specified:
    """``spec`` with some arguments replaced; a changed tensor is contiguous, its values are kept unless it grew."""
    arguments, nulls = dict(spec.arguments), set(spec.nulls)
    for name, change in changes.items():
        if change is None and name in OUT_POINTERS:
            nulls.add(name)
        elif isinstance(change, TensorChange):
            arguments[name] = _changed_tensor(arguments[name], change)
        else:
            arguments[name] = change
    return Specified(arguments, frozenset(nulls), spec.steps)


def _changed_tensor(spec: ArgumentSpec, change: TensorChange) -> ArgumentSpec:
    if not isinstance(spec, TensorSpec):
        return spec
    changed = replace(spec, dtype=change.dtype or spec.dtype, format=change.format or spec.format)
    if change.shape is None:
        return changed
    layout = lay_out(change.shape, "contiguous")
    values = None if spec.values is None else ValueSpec("constant", 1.0)
    return replace(
        changed,
        shape=change.shape,
        strides=layout.strides,
        offset=0,
        storage_shape=layout.storage_shape,
        values=values,
    )
