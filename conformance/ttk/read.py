"""One row of a TTK file → its case: tensors by position, attributes by name, outputs as the file states them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import InvalidSpec
from conformance.foreign.apis import api_named, products_named
from conformance.foreign.bind import Unbound
from conformance.foreign.calls import StatedCall
from conformance.foreign.inputs import Input
from conformance.foreign.spans import Span, parse_span
from conformance.foreign.tensors import (
    DEFAULT_SPAN,
    attribute,
    layout_of,
    left_out,
    names_of,
    shape_of,
    spread,
    stored,
    tensor,
)
from conformance.product import PRODUCTS
from conformance.ttk.literals import literal

NAME, OPERATOR = "testcase_name", "op_name"
ATTRIBUTES, RANGES, SERIES, DATA = "attributes", "input_data_ranges", "soc_series", "manual_input_binaries"
_STRIDES, _OFFSETS, _STORAGES = ("strides", "view_strides"), ("offsets", "storage_offsets"), ("storage_shapes",)
_PER_TENSOR = ("dtypes", "formats", "ori_shapes", "ori_formats", *_STRIDES, *_OFFSETS, *_STORAGES)
_KNOWN = frozenset(f"{side}_{what}" for side in ("input", "output") for what in _PER_TENSOR)
_SCRIPT, _FOLDERS_ABOVE = Path("assets") / "input.py", 3
_LAYOUT_WORDS = re.compile("stride|offset|storage|view|contiguous")


def parse_row(cells: Mapping[str, str], path: Path) -> StatedCall:
    """The case of a row; raises InvalidSpec with the column."""
    api = api_named(cells.get(OPERATOR, "")) or api_named(_operator_of(path))
    if not api:
        raise InvalidSpec("neither op_name nor the name of the file says which API", "write op_name", OPERATOR)
    words = names_of(literal(cells.get(SERIES, "")))
    words = [part for word in words for part in re.split("[,;|/]", word)]
    products, script = products_named(words), _script_above(path.parent)
    read = StatedCall(cells.get(NAME, ""), api, products=products, script=script)
    if not read.products:
        return replace(read, products=frozenset(PRODUCTS), why=f"the file is for {', '.join(words)} alone")
    try:
        inputs = _with_data(_tensors(cells, "input"), cells, path.parent)
        outputs = tuple(_tensor_alone(item) for item in _tensors(cells, "output"))
        return replace(read, inputs=(*inputs, *_attributes(cells)), outputs=outputs, why=_unclear(cells))
    except Unbound as error:
        return replace(read, why=str(error))


@cache
def _script_above(folder: Path) -> str:
    """The script for inputs that belongs to the files of a folder: in assets beside it, or beside a folder above."""
    above = [folder, *folder.parents][: _FOLDERS_ABOVE + 1]
    return next((str(_SCRIPT) for one in above if (one / _SCRIPT).is_file()), "")


def _operator_of(path: Path) -> str:
    """The API that a file's name gives: what follows aclnn in it."""
    _, found, rest = path.stem.partition("aclnn")
    return rest.strip("_") if found else ""


def _unclear(cells: Mapping[str, str]) -> str:
    """Columns that nobody knows and that may say how a tensor lies."""
    odd = [name for name in cells if _LAYOUT_WORDS.search(name) and name not in _KNOWN]
    return f"{', '.join(odd)} may say how a tensor lies, and this suite does not know the column" if odd else ""


def _tensors(cells: Mapping[str, str], side: str) -> list[Input | tuple[Input, ...]]:
    """Tensors of a side in order; a tuple is a list of tensors."""
    shapes = _shapes(literal(cells.get(f"{side}_shapes", "")))
    each = {what: _entries(cells, f"{side}_{what}", len(shapes)) for what in _PER_TENSOR}
    ranges = _ranges(cells, len(shapes)) if side == "input" else [None] * len(shapes)
    found: list[Input | tuple[Input, ...]] = []
    for place, (written, span) in enumerate(zip(shapes, ranges, strict=True)):
        if written is None:
            found.append(left_out(""))
        elif isinstance(written, list) and any(isinstance(item, list) for item in written):
            words = spread(each["dtypes"][place], len(written), f"{side}_dtypes")
            members = zip(written, words, strict=True)
            found.append(tuple(_member(shape, word, side) for shape, word in members))
        else:
            found.append(_tensor(side, written, {what: entries[place] for what, entries in each.items()}, _span(span)))
    return found


def _entries(cells: Mapping[str, str], column: str, count: int) -> list[Any]:
    written = literal(cells.get(column, ""))
    return spread(_shapes(written) if column.endswith(("shapes", "strides")) else written, count, column)


def _shapes(written: Any) -> list[Any]:
    """An entry for each tensor; one shape that stands alone is that of one tensor."""
    if written is None:
        return []
    if isinstance(written, list) and written and all(type(size) is int for size in written):
        return [written]
    return written if isinstance(written, list) else [written]


def _member(shape: Any, word: Any, side: str) -> Input:
    dense = tensor("", word, shape_of(shape, f"{side}_shapes"), "", DEFAULT_SPAN, pointer=f"{side}_dtypes")
    return replace(dense, type="tensors")


def _tensor(side: str, written: Any, each: Mapping[str, Any], span: Span) -> Input:
    shape = shape_of(written, f"{side}_shapes")
    original = None if each["ori_shapes"] is None else shape_of(each["ori_shapes"], f"{side}_ori_shapes")
    words = {"strides": _STRIDES, "offset": _OFFSETS, "storage": _STORAGES}
    lies = {key: next((each[one] for one in names if each[one] is not None), None) for key, names in words.items()}
    view = layout_of(shape, lies, f"{side}_strides")
    pair = (original, each["ori_formats"])
    return tensor("", each["dtypes"], shape, each["formats"], span, pointer=f"{side}_dtypes", original=pair, view=view)


def _tensor_alone(item: Input | tuple[Input, ...]) -> Input:
    if isinstance(item, tuple):
        raise Unbound("a list of tensors is an output, which cases cannot give yet")
    return item


def _ranges(cells: Mapping[str, str], count: int) -> list[Any]:
    """An entry for each tensor; a pair of numbers that stands alone is that of all."""
    written = literal(cells.get(RANGES, ""))
    pair = isinstance(written, list) and len(written) == 2 and all(isinstance(end, (int, float)) for end in written)
    return spread([written] if pair else written, count, RANGES)


def _span(written: Any) -> Span:
    try:
        return DEFAULT_SPAN if written is None or written == [None, None] else parse_span(written)
    except InvalidSpec as error:
        raise InvalidSpec(str(error), error.advice, RANGES) from None


def _with_data(
    tensors: list[Input | tuple[Input, ...]], cells: Mapping[str, str], folder: Path
) -> list[Input | tuple[Input, ...]]:
    """The inputs, those with a file of their own filled from it."""
    written = literal(cells.get(DATA, ""))
    if not written:
        return tensors
    found: list[Input | tuple[Input, ...]] = []
    for item, name in zip(tensors, spread(written, len(tensors), DATA), strict=True):
        if name is None or isinstance(item, tuple) or item.dtype is None:
            found.append(item)
        else:
            found.append(replace(item, span=stored(folder, name, item, DATA)))
    return found


def _attributes(cells: Mapping[str, str]) -> list[Input]:
    written = literal(cells.get(ATTRIBUTES, ""))
    if written in (None, []):
        return []
    if isinstance(written, list) and all(isinstance(one, list) and len(one) == 2 for one in written):
        written = {str(name): value for name, value in written}
    if not isinstance(written, dict):
        raise InvalidSpec(f"{written!r} is no dictionary of attributes"[:80], "write {'name': value}", ATTRIBUTES)
    return [attribute(name, value, ATTRIBUTES) for name, value in written.items()]
