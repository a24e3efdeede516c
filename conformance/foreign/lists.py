"""JSON files that are lists of cases, parsed once as plain JSON: the strict parser only says what is wrong."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import DecodeError
from msgspec.json import decode

from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import parse_json, read_json


def read_list(path: Path) -> list[Any]:
    """The cases of a file; raises InvalidData where it is no list of objects."""
    document = _parsed(path)
    if not isinstance(document, list) or not document:
        what = "a file of another suite is a list of cases, this is none"
        raise InvalidData([Problem(Location(path), what, "write [{…}, …] with at least one case")])
    return document


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
