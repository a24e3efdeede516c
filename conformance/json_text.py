"""Strict JSON: the parser that all data goes through, and where in the text a JSON pointer stands.

Stricter than the standard library: duplicate keys, NaN/Infinity literals and numbers beyond float64 are refused.
Parsing is done by the standard library; the slower scan for lines runs only when there is an error to report.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from math import isinf
from pathlib import Path
from typing import Any, cast

from conformance.errors import InvalidData, Location, Problem

_WHITE = " \t\n\r"


class _DuplicateKey(Exception):
    """Raised inside the hook, which does not know where it is."""


def read_json(path: Path) -> tuple[str, Any]:
    """Text and value of a JSON file; raises InvalidData naming file, line and pointer."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise _invalid(path, 0, f"not UTF-8: {error.reason} at byte {error.start}", "save it as UTF-8") from None
    except OSError as error:
        raise _invalid(path, 0, f"cannot be read: {error.strerror}", "check the path") from None
    return text, parse_json(text, path)


def parse_json(text: str, path: Path) -> Any:
    """Value of JSON text; ``path`` is only for messages."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
    except _DuplicateKey as error:
        pointer, line = next(_duplicates(text), ("", 0))
        raise InvalidData(
            [Problem(Location(path, line, pointer), f"key {error.args[0]!r} stands twice", "keep one of them")]
        ) from None
    except json.JSONDecodeError as error:
        raise _invalid(path, error.lineno, f"malformed JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise _invalid(path, 0, "nested too deeply", "case files need fewer than ten levels") from None
    except ValueError as error:
        raise _invalid(path, 0, str(error), 'write "nan", "inf" or "-inf" as strings') from None


def line_of(text: str, pointer: str) -> int:
    """1-based line where the value at ``pointer`` starts; that of its nearest existing parent when it is missing."""
    lines = dict(_positions(text))
    while pointer not in lines and pointer:
        pointer = pointer.rpartition("/")[0]
    return lines.get(pointer, 1)


def _invalid(path: Path, line: int, what: str, advice: str = "") -> InvalidData:
    return InvalidData([Problem(Location(path, line), what, advice)])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        raise _DuplicateKey(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return result


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError(f"{text} does not fit a float64")
    return number


def escape(key: str | int) -> str:
    """One step of a JSON pointer."""
    return str(key).replace("~", "~0").replace("/", "~1")


def pointer_of(path: Iterator[str | int] | list[str | int]) -> str:
    """JSON pointer of a path of keys and indices."""
    return "".join(f"/{escape(step)}" for step in path)


def _positions(text: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    _scan(text, _skip(text, 0), "", found)
    return [(pointer, text.count("\n", 0, at) + 1) for pointer, at in found]


def _duplicates(text: str) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for pointer, line in _positions(text):
        if pointer in seen:
            yield pointer, line
        seen.add(pointer)


def _scan(text: str, at: int, pointer: str, found: list[tuple[str, int]]) -> int:
    """Note pointer and start of the value at ``at`` and of all it holds; returns its end. The text is well formed."""
    found.append((pointer, at))
    if text[at] == "{":
        return _scan_items(text, at, "}", pointer, found)
    if text[at] == "[":
        return _scan_items(text, at, "]", pointer, found)
    return _primitive_end(text, at)


def _scan_items(text: str, at: int, close: str, pointer: str, found: list[tuple[str, int]]) -> int:
    at, index = _skip(text, at + 1), 0
    while text[at] != close:
        key: str | int = index
        if close == "}":
            key, at = cast(tuple[str, int], scanstring(text, at + 1, True))
            at = _skip(text, _skip(text, at) + 1)
        at = _skip(text, _scan(text, at, f"{pointer}/{escape(key)}", found))
        at, index = (_skip(text, at + 1) if text[at] == "," else at), index + 1
    return at + 1


def _primitive_end(text: str, at: int) -> int:
    if text[at] == '"':
        return cast(int, scanstring(text, at + 1, True)[1])
    while at < len(text) and text[at] not in ",]}" + _WHITE:
        at += 1
    return at


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _WHITE:
        at += 1
    return at
