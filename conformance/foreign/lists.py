"""JSON files that are lists of cases, parsed once as plain JSON: the strict parser only says what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import DecodeError
from msgspec.json import decode

from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import parse_json, read_json

_ITEM = re.compile(r"[\s,]*([^\s,\]])")
"""What stands before an item, and how it begins."""


def read_list(path: Path) -> list[Any]:
    """The cases of a file; raises InvalidData where it is no list of objects."""
    document = _parsed(path)
    if not isinstance(document, list) or not document:
        what = "a file of another suite is a list of cases, this is none"
        raise InvalidData([Problem(Location(path), what, "write [{…}, …] with at least one case")])
    return document


def places_in_list(path: Path, numbers: Iterable[int]) -> list[Location]:
    """Where cases of a file stand, by their numbers from 0; without a line where the file has changed meanwhile."""
    lines = dict(enumerate(_lines_of_items(path)))
    return [Location(path, lines.get(number, 0), f"/{number}") for number in numbers]


def _lines_of_items(path: Path) -> Iterator[int]:
    """1-based line of each item of a list, as far as the file is one; about as quick as parsing it."""
    with suppress(OSError, ValueError, RecursionError):
        text = path.read_text("utf-8-sig")
        decoder, line, counted, end = json.JSONDecoder(), 1, 0, text.index("[") + 1
        while item := _ITEM.match(text, end):
            begin = item.start(1)
            line, counted = line + text.count("\n", counted, begin), begin
            yield line
            _, end = decoder.raw_decode(text, begin)


def _parsed(path: Path) -> Any:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidData([Problem(Location(path), f"cannot be read: {error.strerror}", "check the path")]) from None
    with suppress(DecodeError, RecursionError):
        return decode(content)
    try:
        return json.loads(content)  # admits more: NaN, numbers beyond float64, half surrogate pairs
    except (ValueError, RecursionError):
        text, _ = read_json(path)  # says where
        return parse_json(text, path)
