"""Whose file it is, by how it begins; light enough for every pytest run to ask."""

from __future__ import annotations

import re
from pathlib import Path

ATK, TTK, MSOPST = "atk", "ttk", "msopst"
_LENGTH = 4096
_MARK = b"\xef\xbb\xbf"
_OURS = re.compile(rb'\{\s*"\$schema"\s*:\s*"[^"]*cases-1\.schema\.json"')
_COLUMNS = (b"testcase_name", b"op_name")
"""Columns that the header of TTK's tables has."""
_KEYS = {ATK: (b'"aclnn_name"', b'"api_type"', b'"range_values"'), MSOPST: (b'"input_desc"', b'"output_desc"')}
"""Suite → keys, one of which stands in the first object of its JSON lists."""


def suite_of(path: Path) -> str:
    """The suite whose case file it is; "" where it is none, or cannot be read."""
    begun = _head(path)
    if path.suffix == ".csv":
        return TTK if all(column in begun.partition(b"\n")[0] for column in _COLUMNS) else ""
    return _suite_of_list(begun) if begun.startswith(b"[") else ""


def begins_as_cases(path: Path) -> bool:
    """Whether it is a case file of this suite: an object that names their schema first."""
    return _OURS.match(_head(path)) is not None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LENGTH).removeprefix(_MARK).lstrip(b" \t\r\n")
    except OSError:
        return b""


def _suite_of_list(head: bytes) -> str:
    return next((suite for suite, keys in _KEYS.items() if any(key in head for key in keys)), "")
