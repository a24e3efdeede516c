"""What caches take on the disk, and emptying them while runs may be using them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR

from conformance import store
from conformance.caches import Cache, Form
from conformance.errors import InvalidOption


@dataclass(frozen=True, slots=True)
class Use:
    """Bytes that a cache takes, its entries (None where it is damaged), and when it was last of use in seconds."""

    bytes: int
    entries: int | None
    last: float | None


def use_of(cache: Cache, path: Path) -> Use:
    """What a cache that lies there takes: what older and newer versions of the suite left of it is counted in bytes."""
    found = []
    for place in {*_files(cache, path), *_places(cache, path)}:
        with suppress(OSError):  # gone meanwhile
            found.append(place.stat())
    last = max((status.st_mtime for status in found), default=None)
    taken = sum(status.st_size for status in found if not S_ISDIR(status.st_mode))
    return Use(taken, _entries(cache, path) if found else 0, last)


def clear(cache: Cache, path: Path) -> None:
    """Remove a cache that lies there, whatever version left it. Raises InvalidOption where that is not possible."""
    try:
        if cache.form is Form.STORE:
            for file in _places(cache, path):
                if file.suffix == path.suffix:
                    store.clear(file)
            return
        for file in _files(cache, path):
            file.unlink(missing_ok=True)
        for place in _places(cache, path):
            for folder in (*sorted(place.rglob("*/"), reverse=True), place):
                with suppress(OSError):  # a run has put an entry there again
                    folder.rmdir()
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidOption(f"{path}: cannot be removed: {reason}") from None


def _entries(cache: Cache, path: Path) -> int | None:
    try:
        if cache.form is Form.STORE:
            return store.count(path)
        if cache.form in (Form.FOLDER, Form.FOLDERS):
            return sum(1 for _ in path.iterdir())
        return path.read_bytes().count(b"\n") if cache.form is Form.LINES else 1
    except (OSError, sqlite3.Error):
        return None


def _files(cache: Cache, path: Path) -> list[Path]:
    found = []
    for place in _places(cache, path):
        with suppress(FileNotFoundError):
            found += [one for one in place.rglob("*") if not one.is_dir()] if place.is_dir() else [place]
    return found


def _places(cache: Cache, path: Path) -> list[Path]:
    """Files and folders of a cache: of every version, and those that a process was writing when it was killed."""
    name = re.compile(rf"{cache.name}-\d+(\.[a-z]+)?(\.\d+|-wal|-shm)?")
    with suppress(OSError):
        return sorted(found for found in path.parent.iterdir() if name.fullmatch(found.name))
    return []
