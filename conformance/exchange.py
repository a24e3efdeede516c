"""How a call travels to a child process and back: small memories inside the pickled message, big ones in a shared file.

Parent and child map the same file, so a big tensor is copied once each way, never pickled.
"""

from __future__ import annotations

import io
import mmap
import os
import pickle
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from conformance.call import Call
from conformance.product import Product
from conformance.signature import Parameter
from conformance.tensor import Bytes, Memory

SHARED_FROM = 1 << 16
"""Memories of at least this many bytes go through the shared file."""
_ALIGNMENT = 4096
_IN_MEMORY = Path("/dev/shm")


class SharedFile:
    """An unnamed file that two processes map by the same descriptor. Not a value: it grows to the largest call."""

    def __init__(self, descriptor: int | None = None) -> None:
        self._file = None
        if descriptor is None:
            folder = _IN_MEMORY if _IN_MEMORY.is_dir() else None
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - lives as long as this object
            descriptor = self._file.fileno()
        self.descriptor = descriptor
        self._map: mmap.mmap | None = None

    def bytes(self, offset: int, size: int) -> Bytes:
        """``size`` bytes from ``offset`` on, as both processes see them; the file grows when it is too small.

        OSError when the file system is full: reserved at once, since a write into a hole would be a SIGBUS later.
        """
        end = offset + size
        if os.fstat(self.descriptor).st_size < end:
            os.posix_fallocate(self.descriptor, 0, end)
        if not size:
            return np.empty(0, np.uint8)
        if self._map is None or len(self._map) < end:
            # Not closed: views of the old map may still be alive; it goes with the last of them.
            self._map = mmap.mmap(self.descriptor, os.fstat(self.descriptor).st_size)
        return np.frombuffer(self._map, np.uint8, size, offset)

    def close(self) -> None:
        """Forget the file; the system frees it when the other process has ended too."""
        self._map = None
        if self._file is not None:
            self._file.close()


def memories_of(call: Call) -> list[Memory]:
    """Every memory of the call's tensors once, in an order that parent and child agree on."""
    found: dict[int, Memory] = {}
    for written in (False, True):
        for _, tensor in call.tensors(written=written):
            found.setdefault(id(tensor.memory), tensor.memory)
    return list(found.values())


def pack(call: Call, shared: SharedFile) -> tuple[bytes, dict[int, int]]:
    """The call as bytes, big memories copied into ``shared``; also where each of those lies, by its ``id``."""
    places: dict[int, int] = {}
    offset = 0
    for memory in memories_of(call):
        size = len(memory.everything)
        if size >= SHARED_FROM:
            places[id(memory)] = offset
            offset += -(-size // _ALIGNMENT) * _ALIGNMENT
    try:
        shared.bytes(0, offset)
    except OSError:
        places = {}
    for memory in memories_of(call):
        if id(memory) in places:
            shared.bytes(places[id(memory)], len(memory.everything))[:] = memory.everything
    message = (_head(call.product, call.parameters), call.api, call.arguments, call.steps, call.deadline)
    if not places:
        return pickle.dumps(message, pickle.HIGHEST_PROTOCOL), places
    buffer = io.BytesIO()
    _Pickler(buffer, places).dump(message)
    return buffer.getvalue(), places


def unpack(data: bytes, shared: SharedFile) -> Call:
    """The call that ``pack`` wrote, its big memories lying in ``shared``."""
    head, api, arguments, steps, deadline = _Unpickler(io.BytesIO(data), shared).load()
    product, parameters = _read_head(head)
    return Call(api, product, parameters, arguments, steps, deadline)


@lru_cache(256)
def _head(product: Product, parameters: tuple[Parameter, ...]) -> bytes:
    """What calls of an API have in common, pickled once."""
    return pickle.dumps((product, parameters), pickle.HIGHEST_PROTOCOL)


@lru_cache(256)
def _read_head(head: bytes) -> tuple[Product, tuple[Parameter, ...]]:
    common: tuple[Product, tuple[Parameter, ...]] = pickle.loads(head)
    return common


def changes(call: Call, before: Sequence[bytes | None]) -> list[tuple[int, bytes]]:
    """Index and bytes of every small memory that differs from what it was; ``before`` holds None for big ones."""
    return [
        (index, now)
        for index, (now, was) in enumerate(zip(small_contents(call), before, strict=True))
        if now is not None and now != was
    ]


def small_contents(call: Call) -> list[bytes | None]:
    """What the small memories hold, in order; None for big ones, which the shared file shows anyway."""
    contents = (memory.everything for memory in memories_of(call))
    return [everything.tobytes() if len(everything) < SHARED_FROM else None for everything in contents]


def take_back(call: Call, changed: Sequence[tuple[int, bytes]], places: dict[int, int], shared: SharedFile) -> None:
    """Bring what the child changed into the parent's call."""
    memories = memories_of(call)
    for index, everything in changed:
        memories[index].everything[:] = np.frombuffer(everything, np.uint8)
    for memory in memories:
        if id(memory) in places:
            memory.everything[:] = shared.bytes(places[id(memory)], len(memory.everything))


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, places: dict[int, int]) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._places = places

    def persistent_id(self, value: Any) -> tuple[int, int] | None:
        if isinstance(value, Memory) and id(value) in self._places:
            return self._places[id(value)], len(value.everything)
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, shared: SharedFile) -> None:
        super().__init__(file)
        self._shared = shared
        self._made: dict[int, Memory] = {}

    def persistent_load(self, place: tuple[int, int]) -> Memory:
        # One object a place: two tensors over one memory must share it here too.
        if place[0] not in self._made:
            self._made[place[0]] = Memory.of_everything(self._shared.bytes(*place))
        return self._made[place[0]]
