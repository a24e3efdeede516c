"""One entry of an ATK file ⇄ arguments of a call, and the rest of the entry: what arguments do not say of it.

A native group keeps that rest under ``atk``, so that the entry can be written again: keys of the entry as they are, and
of ``inputs`` only what differs from what the arguments say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from conformance.atk.read import AtkCase
from conformance.atk.translate import NotSaid, range_of
from conformance.call import Attribute, Scalar
from conformance.case import ArgumentSpec, TensorSpec
from conformance.contract import Contract
from conformance.dtype import DType
from conformance.foreign.bind import matched, read_parameters
from conformance.foreign.inputs import Input, dtype_named
from conformance.signature import Parameter, ParameterKind

Said = dict[str, Any]
"""One input as ATK's files state it."""
_USUAL: Said = {"required": True, "backward": False, "align_32B": None, "outlier_values": None, "shape": None}
"""What a key means that is not there."""
_WRITTEN = ("name", "type", "required", "dtype", "shape", "range_values", "backward", "align_32B")
"""Keys that are always written, in this order."""
_WORDS = {
    ParameterKind.INT64: "int",
    ParameterKind.INT32: "int",
    ParameterKind.DOUBLE: "double",
    ParameterKind.FLOAT: "float",
    ParameterKind.BOOL: "bool",
    ParameterKind.STRING: "string",
    ParameterKind.INT_ARRAY: "int",
    ParameterKind.FLOAT_ARRAY: "float",
    ParameterKind.BOOL_ARRAY: "bool",
}
_DEEPEST = 16


def rest_of(read: AtkCase, written: Mapping[str, Any], contract: Contract, call: Mapping[str, ArgumentSpec]) -> Said:
    """What an entry says beyond the arguments; raises ValueError where no JSON file can hold it."""
    rest = {key: spelt(value) for key, value in written.items() if key != "inputs"}
    name = rest.get("aclnn_name")
    if name == bare(contract.api) or not (isinstance(name, str) and name.strip()):  # the file's name says it then
        rest.pop("aclnn_name", None)
    parameters = (parameter for parameter, _ in matched(read.inputs, contract))
    inputs = [
        _kept(spelt(item), next(parameters) if _is_argument(one) else None, call)
        for item, one in zip(written["inputs"], read.inputs, strict=True)
    ]
    usual = [parameter.name for parameter in read_parameters(contract)]
    return rest if inputs == usual else {**rest, "inputs": inputs}


def inputs_of(contract: Contract, call: Mapping[str, ArgumentSpec], rest: Mapping[str, Any]) -> list[Any]:
    """``inputs`` of an entry: the arguments, with the rest over them; raises NotSaid."""
    kept = rest.get("inputs", [parameter.name for parameter in read_parameters(contract)])
    return [_restored(item, contract, call) for item in kept]


def bare(api: str) -> str:
    """An API's name as most ATK files have it."""
    return api.removeprefix("aclnn")


def spelt(written: Any, depth: int = 0) -> Any:
    """A JSON value without what strict JSON has no notation for; raises ValueError where that is not all."""
    if depth > _DEEPEST:
        raise ValueError(f"values stand more than {_DEEPEST} deep in each other")
    if isinstance(written, dict):
        return {spelt(key): spelt(value, depth + 1) for key, value in written.items()}
    if isinstance(written, list):
        return [spelt(item, depth + 1) for item in written]
    if isinstance(written, float) and not isfinite(written):
        return str(written)
    if isinstance(written, str):
        try:
            written.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{written!r} is no text that a file can hold"[:80]) from None
    return written


def _is_argument(item: Input | tuple[Input, ...]) -> bool:
    return (item[0] if isinstance(item, tuple) else item).is_argument


def _kept(written: Any, parameter: Parameter | None, call: Mapping[str, ArgumentSpec]) -> Any:
    """What is left of an input: the parameter's name where that says it all."""
    if parameter is None:
        return {"as": written}
    said = _said(parameter, call[parameter.name])
    if isinstance(written, list):
        members = _members(said, parameter, len(written))
        left = [_beyond(item, member) for item, member in zip(written, members, strict=True)]
        same = isinstance(said, list) and len(said) == len(left) and not any(left)
        return parameter.name if same else {"of": parameter.name, "items": left}
    over = _beyond(written, said if isinstance(said, dict) else {"name": parameter.name})
    return {"of": parameter.name, "with": over} if over or isinstance(said, list) else parameter.name


def _restored(kept: Any, contract: Contract, call: Mapping[str, ArgumentSpec]) -> Any:
    if isinstance(kept, dict) and "as" in kept:
        return kept["as"]
    name = kept if isinstance(kept, str) else kept["of"]
    try:
        parameter = contract.parameter(name)
        said = _said(parameter, call[name])
    except KeyError:
        raise NotSaid(f"what is kept of ATK's file names {name!r}, which is no parameter") from None
    if isinstance(kept, str):
        items = said if isinstance(said, list) else [said]
        whole = [_whole(item, parameter, call) for item in items]
        return whole if isinstance(said, list) else whole[0]
    if "items" in kept:
        members = _members(said, parameter, len(kept["items"]))
        pairs = zip(members, kept["items"], strict=True)
        return [_whole({**member, **over}, parameter, call) for member, over in pairs]
    below = said if isinstance(said, dict) else {"name": name}
    return _whole({**below, **kept.get("with", {})}, parameter, call)


def _members(said: Said | list[Said], parameter: Parameter, count: int) -> list[Said]:
    """What the argument says of each member of a list of so many."""
    fits = isinstance(said, list) and len(said) == count
    return said if fits and isinstance(said, list) else [{"name": parameter.name}] * count


def _beyond(written: Said, said: Said) -> Said:
    """Keys that differ from what is said; a key that is not there means the usual."""
    names = dict.fromkeys(["name", *(name for name in _WRITTEN if name in written or name in said), *written, *said])
    left = {name: written.get(name, _USUAL.get(name)) for name in names}
    return {name: value for name, value in left.items() if not _same(value, said.get(name, _USUAL.get(name, ...)))}


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are one, type and sign of zero included."""
    return other is not ... and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _whole(item: Said, parameter: Parameter, call: Mapping[str, ArgumentSpec]) -> Said:
    """An input with every key that is always written; raises NotSaid where the values cannot be said."""
    spec = call[parameter.name]
    if "range_values" not in item:
        if not isinstance(spec, TensorSpec):
            raise NotSaid("an empty list")
        item = {**item, "range_values": range_of(spec)}
    full = {**_USUAL, **item}
    return {name: full[name] for name in dict.fromkeys([*_WRITTEN, *item]) if name in full}


def _said(parameter: Parameter, spec: ArgumentSpec) -> Said | list[Said]:
    """What an argument says as an input of ATK's; without ``range_values`` where ATK cannot say its values."""
    items = list(_stated(parameter, spec))
    return items if isinstance(spec, Attribute) and isinstance(spec.value, tuple) else items[0]


def _stated(parameter: Parameter, spec: ArgumentSpec) -> Iterator[Said]:
    name = {"name": parameter.name}
    if spec is None:
        yield {**name, **_nothing(parameter), "required": False, "range_values": "null"}
    elif isinstance(spec, TensorSpec):
        tensor = {**name, "type": "tensor", "dtype": _type_word(spec.dtype), "shape": list(spec.shape)}
        try:
            yield {**tensor, "range_values": range_of(spec)}
        except NotSaid:
            yield tensor
    elif isinstance(spec, Scalar):
        value = _number(_shortest(spec))
        yield {**name, "type": "scalar", "dtype": _type_word(spec.dtype), "range_values": value}
    else:
        values, kind = (spec.value, "attrs") if isinstance(spec.value, tuple) else ((spec.value,), "attr")
        for value in values:
            yield {**name, "type": kind, "dtype": _WORDS[parameter.kind], "range_values": _number(value)}


def _nothing(parameter: Parameter) -> Said:
    """Kind and type of an input that is left out."""
    if parameter.kind is ParameterKind.TENSOR:
        return {"type": "tensor", "dtype": "fp32", "shape": []}
    if parameter.kind is ParameterKind.SCALAR:
        return {"type": "scalar", "dtype": "fp32"}
    return {"type": "attr", "dtype": _WORDS.get(parameter.kind, "int")}


def _type_word(dtype: DType) -> str:
    try:
        dtype_named(dtype.word)
    except KeyError:
        raise NotSaid(f"the type {dtype.name}") from None
    return dtype.word


def _shortest(scalar: Scalar) -> Any:
    """The shortest decimal that the scalar's type rounds to its value."""
    if not scalar.dtype.is_float or scalar.dtype.numpy is None:
        return scalar.value
    return float(str(scalar.dtype.numpy.type(scalar.value)))


def _number(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not isfinite(value) else value
