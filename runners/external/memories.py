"""The memories of one call on their way to a program and back: base64 in the line, or shared files.

A memory travels whole, guard bytes included, so that a write outside a tensor's payload shows.
"""

from __future__ import annotations

import base64
import binascii
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from conformance.call import Call
from conformance.exchange import memories_of
from conformance.tensor import Memory

SHARED_ABOVE = 64 * 1024
"""Bytes above which a memory is handed over as a file."""
_IN_MEMORY = Path("/dev/shm")


class BadAnswer(Exception):
    """An answer that breaks the protocol; the text says how."""


class Exchange:
    """Memories of one call. Its files exist while the ``with`` block lasts."""

    def __init__(self, call: Call, shared_files: bool) -> None:
        self._memories = memories_of(call)
        self._shared = shared_files
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files: dict[int, Path] = {}

    def __enter__(self) -> Exchange:
        large = [(i, len(m.everything)) for i, m in enumerate(self._memories) if len(m.everything) > SHARED_ABOVE]
        if self._shared and large:
            parent = _place_for(sum(size for _, size in large))
            self._folder = tempfile.TemporaryDirectory(prefix="conformance-", dir=parent)
            self._files = {index: Path(self._folder.name, f"memory{index}") for index, _ in large}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def index_of(self, memory: Memory) -> int:
        """Number of a memory in the request."""
        return next(index for index, other in enumerate(self._memories) if other is memory)

    def written(self) -> list[dict[str, Any]]:
        """The memories as the request holds them; writes the files."""
        return [self._written(index, memory) for index, memory in enumerate(self._memories)]

    def take_back(self, changed: Sequence[dict[str, Any]]) -> None:
        """Copy what the program changed into the call's memories; raises BadAnswer for sizes that differ."""
        for entry in changed:
            index = entry["memory"]
            if index >= len(self._memories) or index in self._files:
                known = "a shared file" if index in self._files else "not in the request"
                raise BadAnswer(f"memory {index} is answered in base64 but is {known}")
            _fill(self._memories[index], _decoded(index, entry["base64"]), index)
        for index, path in self._files.items():
            _fill(self._memories[index], path.read_bytes(), index)

    def _written(self, index: int, memory: Memory) -> dict[str, Any]:
        size = len(memory.everything)
        if index in self._files:
            memory.everything.tofile(self._files[index])
            return {"bytes": size, "file": str(self._files[index])}
        return {"bytes": size, "base64": base64.b64encode(memory.everything.tobytes()).decode("ascii")}


def _place_for(size: int) -> Path | None:
    """Main memory where there is room for ``size`` bytes twice over; otherwise None, the usual temporary folder."""
    usable = _IN_MEMORY.is_dir() and os.access(_IN_MEMORY, os.W_OK)
    return _IN_MEMORY if usable and shutil.disk_usage(_IN_MEMORY).free > 2 * size else None


def _decoded(index: int, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise BadAnswer(f"memory {index} is no base64: {error}") from None


def _fill(memory: Memory, content: bytes, index: int) -> None:
    if len(content) != len(memory.everything):
        raise BadAnswer(f"memory {index} came back with {len(content)} bytes, it has {len(memory.everything)}")
    memory.everything[:] = np.frombuffer(content, np.uint8)
