"""Files that commands write where their user says: one clear error where that is not possible."""

from __future__ import annotations

import os
from pathlib import Path

from conformance.errors import InvalidOption


def write_text(path: Path, text: str) -> None:
    """Write a file, with the folders above it; raises InvalidOption."""
    # Half a surrogate pair, as undecodable bytes of a message become, is written as its escape.
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, with the folders above it; raises InvalidOption."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise InvalidOption(f"{path}: cannot be written: {error.strerror}") from None


def require_place(path: Path) -> None:
    """Raise InvalidOption where no file can be written there: for commands that work long before they write it."""
    if path.is_dir():
        raise InvalidOption(f"{path}: cannot be written: it is a folder; name a file")
    require_folder(path.parent)


def require_folder(path: Path) -> None:
    """Raise InvalidOption where no file can be put into a folder, which need not exist."""
    there = next(one for one in (path, *path.absolute().parents) if one.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise InvalidOption(f"nothing can be written into {path}: {there} is no folder, or not yours to write")
