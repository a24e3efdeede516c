"""Whose file it is, by how it begins; light enough for every pytest run to ask."""

from __future__ import annotations

from pathlib import Path

ATK = "atk"
_LENGTH = 4096
_MARK = b"\xef\xbb\xbf"
_KEYS = {ATK: (b'"aclnn_name"', b'"api_type"', b'"range_values"')}
"""Suite → keys, one of which stands in the first object of its JSON lists."""


def suite_of(path: Path) -> str:
    """The suite whose case file it is; "" where it is none, or cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(_LENGTH)
    except OSError:
        return ""
    begun = head.removeprefix(_MARK).lstrip(b" \t\r\n")
    return _suite_of_list(begun) if begun.startswith(b"[") else ""


def _suite_of_list(head: bytes) -> str:
    return next((suite for suite, keys in _KEYS.items() if any(key in head for key in keys)), "")
