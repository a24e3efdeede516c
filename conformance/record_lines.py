"""Lines of a record that is written or read: their text, of which parts are parsed when they are asked for.

A record of 100 000 cases has some 250 million characters, most of them metrics that few readers look at. That each line
is JSON is found out when it is read; objects as large as its parsed metrics are not kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType
from msgspec.json import Decoder, Encoder, decode

from conformance.errors import InvalidRecord

_Part = Raw | UnsetType


class _Parts(Struct, gc=False, forbid_unknown_fields=True):
    """The parts of a case's line in the order in which they are written; those that are seldom read as text."""

    kind: str
    id: str
    api: str
    verdict: str
    reason: str
    exercises: Raw
    facets: Raw
    seconds: int | float
    call: _Part = UNSET
    expected: _Part = UNSET
    standard: str | UnsetType = UNSET
    strict: _Part = UNSET
    side: str | UnsetType = UNSET
    headroom: int | float | str | UnsetType | None = UNSET
    signature: str | UnsetType = UNSET
    diagnosis: _Part = UNSET
    outcome: _Part = UNSET
    faults: _Part = UNSET
    filled: _Part = UNSET
    vivid: _Part = UNSET
    untouched: _Part = UNSET
    in_place: _Part = UNSET
    poison: _Part = UNSET
    unsteady: _Part = UNSET
    alike: _Part = UNSET
    may_be_silent: _Part = UNSET
    outputs: _Part = UNSET
    golden: str | UnsetType = UNSET
    second: _Part = UNSET
    again: str | UnsetType = UNSET


_NAMES = _Parts.__struct_fields__
_KNOWN = frozenset(_NAMES)
_parts_of, _text_of = Decoder(_Parts).decode, Encoder().encode


class CaseLine(Mapping[str, Any]):
    """The line of a case, to be read like the object that its text says."""

    __slots__ = ("_parts", "_text")

    def __init__(self, text: bytes, parts: _Parts) -> None:
        self._text = text
        self._parts = parts

    @property
    def text(self) -> bytes:
        """The line as it stands in its file, with one newline at its end."""
        return self._text.strip() + b"\n"

    def unparsed(self, name: str) -> Raw | None:
        """The text of a part; None where there is none, or it is kept as a value."""
        part = getattr(self._parts, name)
        return part if part.__class__ is Raw else None

    def __getitem__(self, name: str) -> Any:
        part = getattr(self._parts, name) if name in _KNOWN else UNSET
        if part is UNSET:
            raise KeyError(name)
        return _value(part) if part.__class__ is Raw else part

    def get(self, name: str, default: Any = None) -> Any:
        """A part, or the default where the line has none."""
        part = getattr(self._parts, name) if name in _KNOWN else UNSET
        if part is UNSET:
            return default
        return _value(part) if part.__class__ is Raw else part

    def __contains__(self, name: object) -> bool:
        return name in _KNOWN and getattr(self._parts, str(name)) is not UNSET

    def __iter__(self) -> Iterator[str]:
        return (name for name in _NAMES if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))


def parse_line(text: bytes) -> Any:
    """What a line says: parsed as it is asked for where it is that of a case, at once otherwise; raises ValueError."""
    try:
        text.decode()  # the parser does not look into texts that it passes over
        return CaseLine(text, _parts_of(text))
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return _by_standard_library(text)


def case_line(parts: dict[str, Any]) -> Mapping[str, Any]:
    """The line of a case that says this; parts may be texts of JSON. As they stand where they cannot be written so."""
    try:
        written = _Parts(**parts)
        return CaseLine(_text_of(written) + b"\n", written)
    except (TypeError, UnicodeEncodeError):  # a number that is no plain one, half a surrogate pair
        return {name: _value(part) if part.__class__ is Raw else part for name, part in parts.items()}


def read_texts(path: Path) -> list[bytes]:
    """Lines of a file with their ends; raises InvalidRecord."""
    try:
        with path.open("rb") as file:
            return [text for read in file for text in read.splitlines(keepends=True)]
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be read: {error.strerror}") from None


def parsed(path: Path, texts: list[bytes]) -> Iterator[Mapping[str, Any]]:
    """What each line says; raises InvalidRecord where one is no JSON object, unless it is half of the last."""
    for number, text in enumerate(texts, 1):
        try:
            line = parse_line(text)
        except ValueError as error:
            if number == len(texts) and not text.endswith(b"\n"):
                return  # a run killed while writing leaves half a line; the missing footer says so
            raise InvalidRecord(f"{path}:{number}: malformed line: {error}") from None
        if not isinstance(line, Mapping):
            raise InvalidRecord(f"{path}:{number}: is no JSON object")
        yield line


def _value(part: Raw) -> Any:
    try:
        return decode(part)
    except DecodeError:
        return _by_standard_library(bytes(part))


def _by_standard_library(text: bytes) -> Any:
    """Slower, and admits more: NaN, numbers beyond float64, half surrogate pairs."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
