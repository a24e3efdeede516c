"""Answers by key in one SQLite file: bounded in bytes, shared by processes, each answer checked when it is read.

Everything in it can be computed again, so nothing here fails a run: an answer that is damaged counts as absent, a file
that is damaged is begun anew, one that cannot be used is done without; ``trouble`` says so.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_CHECK_BYTES = 16
_PENDING_BYTES = 4 << 20
"""Answers are written together when so many bytes wait."""
_OVERHEAD = 200
"""Bytes that an answer takes beside itself: keys, index, check."""
_LOCKED_SECONDS = 10.0
_TABLES = """
CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, used INTEGER NOT NULL, size INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS content (key BLOB PRIMARY KEY, value BLOB NOT NULL);
"""


class Store:
    """An open file of answers. Not a value: it writes what it is given, in groups and when it is closed.

    When ``limit`` bytes are full, answers that were used the longest time ago go first. What this run has used is never
    displaced by what it adds, so that a set of answers larger than the limit keeps the part that fits.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self._path, self._limit = path, limit
        self._now = time.time_ns()
        self._pending: dict[bytes, bytes] = {}
        self._waiting = self._size = self._mine = 0
        self._sizes: dict[bytes, int] = {}
        self._used: set[bytes] = set()
        self._file: sqlite3.Connection | None = None
        self.trouble = ""
        with self._guarded():
            self._open()
        if self.trouble and not os.path.exists(self._path):  # noqa: PTH110 - False where it cannot be told
            with self._guarded():
                self._open()

    def has(self, key: bytes) -> bool:
        """Whether there is an answer of a key; to ask is to use it."""
        if key in self._sizes:
            self._use(key)
        return key in self._sizes

    def get(self, key: bytes) -> bytes | None:
        """The answer of a key; None where there is none, or it is damaged."""
        if key not in self._sizes:
            return None
        if key in self._pending:
            return self._pending[key]
        content = self._read(key)
        if content is None or content[:_CHECK_BYTES] != _check(key, content[_CHECK_BYTES:]):
            if content is not None:
                self._say("an answer in it was damaged and is computed again")
            self._forget(key)
            return None
        self._use(key)
        return content[_CHECK_BYTES:]

    def put(self, key: bytes, value: bytes) -> None:
        """Keep an answer, unless this run has filled the limit already."""
        size = len(value) + _OVERHEAD
        if self._file is None or key in self._sizes or self._mine + size > self._limit:
            return
        self._sizes[key] = size
        self._use(key)
        self._pending[key] = value
        self._waiting += size
        if self._waiting > _PENDING_BYTES:
            self._write()

    def close(self) -> None:
        """Write what waits and what was used; the store answers nothing afterwards."""
        if self._file is None:
            return
        self._write()
        with self._guarded() as file:
            with file:
                file.executemany("UPDATE entry SET used = ? WHERE key = ?", [(self._now, key) for key in self._used])
            file.close()
        self._file = None
        self._sizes.clear()

    def _open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(self._path, timeout=_LOCKED_SECONDS)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.executescript(_TABLES)
        self._sizes = dict(self._file.execute("SELECT key, size FROM entry"))
        self._size = sum(self._sizes.values())

    @contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection]:
        """The file, for a use that may fail: a damaged file is begun anew, one that cannot be used is done without."""
        try:
            yield self._file  # type: ignore[misc]  # _open gives it
        except (sqlite3.OperationalError, OSError) as error:
            self._leave(f"it cannot be used ({error}) and is done without")
        except sqlite3.DatabaseError as error:
            self._leave(f"it was damaged and is begun anew ({error})")
            _remove(self._path)

    def _leave(self, why: str) -> None:
        self._say(why)
        if self._file is not None:
            with closing(self._file):
                self._file = None
        self._sizes.clear()
        self._pending.clear()

    def _say(self, what: str) -> None:
        self.trouble = self.trouble or f"{self._path}: {what}"

    def _use(self, key: bytes) -> None:
        if key not in self._used:
            self._used.add(key)
            self._mine += self._sizes[key]

    def _read(self, key: bytes) -> bytes | None:
        row: tuple[bytes] | None = None
        with self._guarded() as file:
            row = file.execute("SELECT value FROM content WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _forget(self, key: bytes) -> None:
        self._size -= self._sizes.pop(key, 0)
        self._delete([key])

    def _delete(self, keys: list[bytes]) -> None:
        if self._file is None:
            return
        with self._guarded() as file, file:
            for table in ("entry", "content"):
                file.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys])

    def _write(self) -> None:
        pending, self._pending = self._pending, {}
        waiting, self._waiting = self._waiting, 0
        self._size += waiting
        if self._size > self._limit:
            self._make_room(waiting)
        if self._file is None:
            return
        with self._guarded() as file, file:
            entries = [(key, self._now, self._sizes[key]) for key in pending]
            file.executemany("INSERT OR IGNORE INTO entry VALUES (?, ?, ?)", entries)
            contents = [(key, _check(key, value) + value) for key, value in pending.items()]
            file.executemany("INSERT OR IGNORE INTO content VALUES (?, ?)", contents)

    def _make_room(self, waiting: int) -> None:
        """Drop answers that were used the longest time ago, none that this run has used, for bytes that wait."""
        with self._guarded() as file:
            # Other processes write too.
            (stored,) = file.execute("SELECT COALESCE(SUM(size), 0) FROM entry").fetchone()
            self._size = stored + waiting
            oldest = file.execute("SELECT key, size FROM entry WHERE used < ? ORDER BY used", (self._now,))
            going = []
            for key, size in oldest:
                if self._size <= self._limit:
                    break
                if key not in self._used:
                    going.append(key)
                    self._size -= size
                    self._sizes.pop(key, None)
            oldest.close()
            self._delete(going)


def count(path: Path) -> int:
    """Answers in a file; raises sqlite3.Error where it is damaged or none."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_LOCKED_SECONDS)) as file:
        (found,) = file.execute("SELECT COUNT(*) FROM entry").fetchone()
    return int(found)


def clear(path: Path) -> None:
    """Forget all answers of a file that processes may be using; it goes where none does, or where it is damaged.

    Raises OSError or sqlite3.OperationalError.
    """
    try:
        with closing(sqlite3.connect(path, timeout=_LOCKED_SECONDS)) as file:
            file.executescript(f"{_TABLES} DELETE FROM entry; DELETE FROM content; VACUUM;")
            if not _is_alone(file):
                return
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        pass
    _remove(path)


def _is_alone(file: sqlite3.Connection) -> bool:
    """Whether no other process has the file open: what that writes to a file that was removed nobody finds again."""
    file.execute("PRAGMA busy_timeout = 0")
    try:
        file.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return False
    return True


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _check(key: bytes, value: bytes) -> bytes:
    digest = hashlib.sha256(key)
    digest.update(value)
    return digest.digest()[:_CHECK_BYTES]
