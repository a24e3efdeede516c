"""The file of a record that is being written: by one run at a time, and every error says which file it is."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from conformance.errors import InvalidRecord


def open_for_writing(path: Path, kept: bytes = b"") -> IO[bytes]:
    """The file after what is kept of it; that is never lost, even when this process is killed here.

    Raises InvalidRecord, also where another run is writing it.
    """
    with writing_to(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = _opened(path)
        if kept and not path.read_bytes().startswith(kept):
            spare = path.with_suffix(".resumed")
            spare.write_bytes(kept)
            spare.replace(path)
            file.close()
            file = _opened(path)
        file.truncate(len(kept))
        file.seek(len(kept))
        return file


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Turns what goes wrong with a file into InvalidRecord."""
    try:
        yield
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be written: {error.strerror}") from None


def _opened(path: Path) -> IO[bytes]:
    """The file as it is, nobody else's until it is closed."""
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
    try:
        with suppress(OSError):  # of a file system that has no locks
            _lock(file, path)
    except InvalidRecord:
        file.close()
        raise
    return file


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InvalidRecord(f"{path}: another run is writing it; name another file with --record") from None
