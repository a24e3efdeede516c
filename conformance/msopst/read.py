"""One case of an msopst file → what it stands for: a call for each combination of types, shapes and ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite, prod
from pathlib import Path
from typing import Any

from conformance.dtype import DTYPES
from conformance.errors import InvalidSpec
from conformance.foreign.apis import api_named
from conformance.foreign.bind import Unbound
from conformance.foreign.calls import StatedCall
from conformance.foreign.distributions import DISTRIBUTIONS
from conformance.foreign.inputs import Input, dtype_named
from conformance.foreign.spans import Constant, Literal, Shaped, Span, parse_span
from conformance.foreign.tensors import DEFAULT_SPAN, attribute, left_out, shape_of, stored, tensor
from conformance.msopst.combine import DISTRIBUTION, FORMAT, RANGE, SHAPE, TYPE, Each, combinations, in_step

_UNIFORM, _UNDEFINED, _DATA_TYPE = "uniform", "UNDEFINED", "data_type"
_EXPECTATIONS = {"": False, "success": False, "failed": True}
_FUZZ = "fuzz"
"""Stands for what a script of the user makes."""
_WIDEST = 1e300
"""Bounds of a distribution, so that their difference is a number."""


def parse_case(written: Any, path: Path) -> list[StatedCall]:
    """The calls of one case; raises InvalidSpec with the place in the case."""
    if not isinstance(written, dict):
        raise InvalidSpec(f"a case is {type(written).__name__}, not an object", "write {…}")
    operator, name, expected = written.get("op"), written.get("case_name"), written.get("expect")
    api = api_named(operator) if isinstance(operator, str) else ""
    if not api:
        raise InvalidSpec("the case does not say which operator", "write op", "/op")
    word = expected.strip().lower() if isinstance(expected, str) else expected
    word = "" if word is None else word
    if not isinstance(word, str) or word not in _EXPECTATIONS:
        raise InvalidSpec(f"{expected!r} is no expectation"[:80], "write success or failed", "/expect")
    case = StatedCall(name if isinstance(name, str) else "", api, refused=_EXPECTATIONS[word])
    made_by = written.get("fuzz_impl")
    if made_by or _holds_fuzz(written):
        script = made_by if isinstance(made_by, str) else "a script"
        return [replace(case, script=script)]
    try:
        return list(_calls(case, written, path.parent))
    except Unbound as error:
        return [replace(case, why=str(error))]


def _holds_fuzz(written: Mapping[str, Any]) -> bool:
    """Whether some value of the case is left to a script."""
    level: list[Any] = [written.get(key) for key in ("input_desc", "output_desc", "attr")]
    while level := [one for one in level if isinstance(one, (list, dict)) or one == _FUZZ]:
        if any(one == _FUZZ for one in level):
            return True
        level = [inner for one in level for inner in (_all_but_name(one) if isinstance(one, dict) else one)]
    return False


def _all_but_name(written: Mapping[str, Any]) -> list[Any]:
    return [value for key, value in written.items() if key != "name"]


def _calls(case: StatedCall, written: Mapping[str, Any], folder: Path) -> Iterator[StatedCall]:
    groups = written.get("cross_list")
    described, stated = list(_objects(written, "input_desc")), list(_objects(written, "output_desc"))
    inputs = [
        [_input(each, one, folder, pointer) for each in combinations(one, one, groups, pointer)]
        for one, pointer in described
    ]
    leader = (described or stated or [({}, "")])[0][0]
    outputs = [
        [_output(each, one, pointer) for each in combinations(one, leader, groups, pointer)] for one, pointer in stated
    ]
    attributes = tuple(_attribute(one, pointer) for one, pointer in _objects(written, "attr"))
    for chosen in in_step([*inputs, *outputs], "/input_desc"):
        yield replace(case, inputs=(*chosen[: len(inputs)], *attributes), outputs=chosen[len(inputs) :])


def _objects(written: Mapping[str, Any], key: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    listed = written.get(key)
    if listed is not None and not isinstance(listed, list):
        raise InvalidSpec(f"{key} is {type(listed).__name__}, not a list", "write [{…}, …]", f"/{key}")
    for place, one in enumerate(listed or ()):
        if not isinstance(one, dict):
            raise InvalidSpec(f"an entry is {type(one).__name__}, not an object", "write {…}", f"/{key}/{place}")
        yield one, f"/{key}/{place}"


def _text(written: Any) -> str:
    return written if isinstance(written, str) else ""


def _is_left_out(each: Each) -> bool:
    return bool(each[TYPE] == _UNDEFINED)


def _input(each: Each, written: Mapping[str, Any], folder: Path, pointer: str) -> Input:
    if _is_left_out(each):
        return left_out(_text(written.get("name")))
    bare = _tensor(each, written, DEFAULT_SPAN, pointer)
    return replace(bare, span=_values(bare, each, written.get("value"), folder, pointer))


def _output(each: Each, written: Mapping[str, Any], pointer: str) -> Input:
    return left_out("") if _is_left_out(each) else _tensor(each, written, DEFAULT_SPAN, pointer)


def _tensor(each: Each, written: Mapping[str, Any], span: Span, pointer: str) -> Input:
    shape = shape_of([] if each[SHAPE] is None else each[SHAPE], f"{pointer}/shape")
    if any(size < 0 for size in shape) and each["typical_shape"] is not None:
        shape = shape_of(each["typical_shape"], f"{pointer}/typical_shape")
    original = None if each["ori_shape"] is None else shape_of(each["ori_shape"], f"{pointer}/ori_shape")
    pair = (original, each["ori_format"])
    name = _text(written.get("name"))
    return tensor(name, each[TYPE], shape, each[FORMAT], span, pointer=f"{pointer}/type", original=pair)


def _values(item: Input, each: Each, value: Any, folder: Path, pointer: str) -> Span:
    """Elements that the case states, that lie in a file, or that are drawn."""
    if isinstance(value, str):
        return stored(folder, value, item, f"{pointer}/value")
    if value is not None:
        return _stated(item, value, f"{pointer}/value")
    return _drawn(each[RANGE], each[DISTRIBUTION], pointer)


def _stated(item: Input, value: Any, pointer: str) -> Span:
    flat = value if isinstance(value, list) else [value]
    while any(isinstance(one, list) for one in flat):
        flat = [inner for one in flat for inner in (one if isinstance(one, list) else [one])]
    count = prod(item.shape or ())
    if len(flat) != count and len(flat) != 1:
        what = f"{len(flat)} values for the shape {list(item.shape or ())}"
        raise InvalidSpec(what, "write one for each element", pointer)
    found = [_element(one, pointer) for one in flat]
    return Constant(found[0]) if len(found) == 1 else Literal(tuple(found))


def _element(written: Any, pointer: str) -> int | float:
    try:
        span = parse_span(written)
    except InvalidSpec as error:
        raise InvalidSpec(str(error), error.advice, pointer) from None
    if not isinstance(span, Constant) or isinstance(span.value, str):
        raise InvalidSpec(f"{written!r} is no element of a tensor"[:80], "write a number", pointer)
    return span.value


def _drawn(ends: Any, distribution: Any, pointer: str) -> Span:
    word = _UNIFORM if distribution is None else distribution
    if not isinstance(word, str) or word not in (_UNIFORM, *DISTRIBUTIONS):
        advice = f"known are {_UNIFORM}, {', '.join(DISTRIBUTIONS)}"
        raise InvalidSpec(f"{word!r} is no distribution"[:80], advice, f"{pointer}/{DISTRIBUTION}")
    if ends is None:
        ends = [-2.0, 2.0]
    if not isinstance(ends, list) or len(ends) != 2:
        raise InvalidSpec(f"{ends!r} is no range"[:80], "write [least, most]", f"{pointer}/{RANGE}")
    if word == _UNIFORM:
        try:
            return parse_span(ends)
        except InvalidSpec as error:
            raise InvalidSpec(str(error), error.advice, f"{pointer}/{RANGE}") from None
    low, high = sorted(float(_element(end, f"{pointer}/{RANGE}")) for end in ends)
    if not (isfinite(low) and isfinite(high) and max(-low, high) < _WIDEST):
        raise InvalidSpec(f"{ends!r} is no range of a distribution"[:80], "write finite numbers", f"{pointer}/{RANGE}")
    return Shaped(word, low, high)


def _attribute(written: Mapping[str, Any], pointer: str) -> Input:
    """An attribute; a type of data becomes its number, as APIs take it."""
    name, value = _text(written.get("name")), written.get("value")
    if written.get("type") == _DATA_TYPE and isinstance(value, str):
        try:
            return Input(name, "attr", _DATA_TYPE, DTYPES["int64"], None, Constant(dtype_named(value).acl))
        except KeyError:
            advice = f"types are {', '.join(DTYPES)}"
            raise InvalidSpec(f"unknown type {value!r}"[:80], advice, f"{pointer}/value") from None
    return attribute(name, value, f"{pointer}/value")
