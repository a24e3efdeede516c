"""JSON files that are lists of cases, parsed once as plain JSON: the strict parser only says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import parse_json, read_json


def read_list(path: Path) -> list[Any]:
    """The cases of a file; raises InvalidData where it is no list of objects."""
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        text, _ = read_json(path)  # says where
        document = parse_json(text, path)
    except OSError as error:
        raise InvalidData([Problem(Location(path), f"cannot be read: {error.strerror}", "check the path")]) from None
    if not isinstance(document, list) or not document:
        what = "a file of another suite is a list of cases, this is none"
        raise InvalidData([Problem(Location(path), what, "write [{…}, …] with at least one case")])
    return document
