"""What files came to that were surveyed before, kept in the user's cache.

What a file comes to follows from its name and content, the scripts beside it, the limits, and this suite's data and
code. So it is found again by digests of these; a file that was touched but not changed is not parsed again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

from conformance.caches import SURVEYED, note_use
from conformance.copies import scripts_digest
from conformance.environment import data_digest
from conformance.errors import InvalidData, Location, Problem
from conformance.foreign.outlook import Outlook, Outlooks
from conformance.index import code_digest
from conformance.kept import keep, read_kept
from conformance.select import Limits

_MOST = 20_000
"""Files at which those that this survey does not meet are forgotten."""


class Surveyed:
    """What files came to, by digest. Not a value: it knows what this survey met."""

    def __init__(self, limits: Limits) -> None:
        self._limits = repr(limits).encode()
        self._path = SURVEYED.path
        note_use(self._path)
        self._key = f"{data_digest()} {hashlib.sha256(code_digest()).hexdigest()}"
        self._known: dict[str, list[list[Any]]] = read_kept(self._path, self._key) or {}
        self._met: set[str] = set()
        self._is_new = False

    def outlooks_of(self, path: Path, look: Callable[[], Outlooks]) -> Outlooks:
        """What the cases of a file come to; looked at where that is not known. Raises InvalidData."""
        content = _content(path)
        digest = self._digest(path, content)
        if digest in self._known:
            self._met.add(digest)
            return {Outlook(*texts): places for *texts, places in self._known[digest]}
        found = look()
        if _content(path) == content:  # otherwise it was written while it was looked at
            self._known[digest] = [[*astuple(outlook), places] for outlook, places in found.items()]
            self._met.add(digest)
            self._is_new = True
        return found

    def keep(self) -> None:
        """Keep what was found for the next survey."""
        if self._is_new:
            known = self._known
            if len(known) > _MOST:
                known = {digest: known[digest] for digest in self._met}
            keep(self._path, self._key, known)

    def _digest(self, path: Path, content: bytes) -> str:
        digest = hashlib.sha256(content)
        for part in (self._limits, path.name.encode("utf-8", "surrogateescape"), scripts_digest(path.parent)):
            digest.update(b"\0%d\0" % len(part) + part)
        return digest.hexdigest()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidData([Problem(Location(path), f"cannot be read: {error.strerror}", "check the path")]) from None
