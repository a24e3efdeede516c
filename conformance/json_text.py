"""Strict JSON: the parser that all data goes through, and where in the text a JSON pointer stands.

Stricter than the standard library: duplicate keys, NaN/Infinity literals, numbers beyond float64, half surrogate
pairs and nesting deeper than ``DEEPEST`` are refused.
Parsing is done by the standard library; the slower scan for lines runs only when there is an error to report.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from json.decoder import scanstring  # type: ignore[attr-defined]
from math import isinf
from pathlib import Path
from typing import Any, cast

from conformance.errors import InvalidData, Location, Problem

DEEPEST = 64
"""Most levels of arrays and objects inside each other; data files need fewer than ten."""
_WHITE = " \t\n\r"


class _DuplicateKey(Exception):
    """Raised inside the hook, which does not know where it is."""


class _BadNumber(Exception):
    """Raised inside a hook: a number's text that is refused, and what is wrong with it."""

    def __init__(self, literal: str, what: str) -> None:
        super().__init__(what)
        self.literal = literal


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
    """Value of JSON text; ``path`` is only for messages. Raises InvalidData."""
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_integer
        )
        if "\\u" in text:  # half a surrogate pair cannot come in another way
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except _DuplicateKey as error:
        pointer, line = next(_duplicates(text), ("", 0))
        name = _last_key(pointer) if pointer else error.args[0]
        raise _invalid(path, line, f"key {name!r} stands twice", "keep one of them", pointer) from None
    except _BadNumber as error:
        pointer, line = next(_primitives(text, error.literal), ("", 0))
        raise _invalid(path, line, str(error), 'write "nan", "inf" or "-inf" as strings', pointer) from None
    except json.JSONDecodeError as error:
        advice = _hint(text, error.pos)
        raise _invalid(path, error.lineno, f"malformed JSON: {error.msg}, column {error.colno}", advice) from None
    except RecursionError:
        raise _too_deep(path) from None
    except UnicodeEncodeError:
        raise _invalid(path, 0, "holds half a surrogate pair", "write the character itself") from None
    if _depth(value) > DEEPEST:
        raise _too_deep(path)
    return value


def _hint(text: str, at: int) -> str:
    """What usually causes malformed JSON at this place."""
    before = text[:at].rstrip()
    if text[at : at + 2] in ("//", "/*") or text[at : at + 1] == "#":
        return "JSON has no comments"
    if text[at : at + 1] in ("}", "]") and before.endswith(","):
        return "a comma after the last item"
    if text[at : at + 1] in ('"', "{", "[") and before[-1:] in ('"', "}", "]", "l", "e", *tuple("0123456789")):
        return f"a comma is missing after line {text.count(chr(10), 0, len(before)) + 1}"
    return ""


def line_of(text: str, pointer: str) -> int:
    """1-based line where the value at ``pointer`` starts; that of its nearest existing parent when it is missing."""
    return place_of(text, pointer)[0]


def place_of(text: str, pointer: str) -> tuple[int, str]:
    """1-based line and pointer of the value at ``pointer``, or of its nearest existing parent."""
    lines = dict(_positions(text))
    while pointer not in lines and pointer:
        pointer = pointer.rpartition("/")[0]
    return lines.get(pointer, 1), pointer


def lines_of(text: str) -> dict[str, int]:
    """1-based line of every value, by pointer: for many places of one text."""
    ends = [at for at, letter in enumerate(text) if letter == "\n"]
    return {pointer: bisect_left(ends, at) + 1 for pointer, at in _starts(text)}


def _invalid(path: Path, line: int, what: str, advice: str = "", pointer: str = "") -> InvalidData:
    return InvalidData([Problem(Location(path, line, pointer), what, advice)])


def _too_deep(path: Path) -> InvalidData:
    return _invalid(path, 0, f"nested deeper than {DEEPEST} levels", "data files need fewer than ten")


def _depth(value: Any) -> int:
    """How many arrays and objects stand inside each other at most."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        raise _DuplicateKey(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return result


def _no_constant(name: str) -> Any:
    raise _BadNumber(name, f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise _BadNumber(text, f"{text} does not fit a float64")
    return number


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # the interpreter's limit on digits
        raise _BadNumber(text, f"an integer of {len(text)} digits") from None


def escape(key: str | int) -> str:
    """One step of a JSON pointer."""
    return str(key).replace("~", "~0").replace("/", "~1")


def pointer_of(path: Iterator[str | int] | list[str | int]) -> str:
    """JSON pointer of a path of keys and indices."""
    return "".join(f"/{escape(step)}" for step in path)


def _last_key(pointer: str) -> str:
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _positions(text: str) -> list[tuple[str, int]]:
    return [(pointer, _line(text, at)) for pointer, at in _starts(text)]


def _starts(text: str) -> list[tuple[str, int]]:
    """Pointer and start of every value, as far as the text is well formed."""
    found: list[tuple[str, int]] = []
    with suppress(ValueError, IndexError, RecursionError):
        _scan(text, _skip(text, 0), "", found)
    return found


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _primitives(text: str, literal: str) -> Iterator[tuple[str, int]]:
    for pointer, at in _starts(text):
        if text[at : _primitive_end(text, at)] == literal:
            yield pointer, _line(text, at)


def _duplicates(text: str) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for pointer, line in _positions(text):
        if pointer in seen:
            yield pointer, line
        seen.add(pointer)


def _scan(text: str, at: int, pointer: str, found: list[tuple[str, int]]) -> int:
    """Note pointer and start of the value at ``at`` and of all it holds; returns its end."""
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
    end = at
    while end < len(text) and text[end] not in ",]}" + _WHITE:
        end += 1
    if end == at:
        raise ValueError(f"no value at {at}")
    return end


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _WHITE:
        at += 1
    return at
