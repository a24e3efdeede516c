"""JSON documents that can be made again, kept in the user's cache: read only under the key they were written with.

A file begins with its key and the digest of the rest, and is replaced whole, so that several processes may read and
write it at a time. One under another key is stale, one that does not match its digest corrupt: neither is read.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from conformance.caches import Cache, note_use
from conformance.garbage import collected_later

_MOST_ENTRIES = 4096
"""Entries at which a folder is begun anew."""


def entry_of(cache: Cache, path: Path) -> Path:
    """Where what is known of a file is kept, in a cache that is a folder."""
    name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]
    home = cache.path
    note_use(home)
    return home / name


def make_room(cache: Cache) -> None:
    """Empty a folder of entries that has very many."""
    with suppress(OSError):
        entries = list(cache.path.iterdir())
        for entry in entries if len(entries) >= _MOST_ENTRIES else ():
            entry.unlink(missing_ok=True)


def read_kept(path: Path, key: str) -> Any:
    """What was kept; None where nothing was, or it is stale or corrupt."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        if head.decode("ascii") != _head(key, body):
            return None
        with collected_later():
            return json.loads(body)
    except (OSError, ValueError):
        return None


def keep(path: Path, key: str, document: Any) -> None:
    """Replace what was kept; a cache that cannot be written is done without."""
    body = json.dumps(document, separators=(",", ":")).encode()
    spare = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        spare.write_bytes(_head(key, body).encode("ascii") + b"\n" + body)
        spare.replace(path)


def _head(key: str, body: bytes) -> str:
    return f"{key} {hashlib.sha256(body).hexdigest()}"
