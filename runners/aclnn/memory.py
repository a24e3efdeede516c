"""Device buffers: one for each memory of a call, guard bytes included, and copies both ways.

Tensors that share a memory share its buffer, so what aliases in the call aliases on the device. A payload starts
``GUARD_BYTES`` behind the start of an allocation, which keeps the alignment of 64 bytes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from conformance.tensor import GUARD_BYTES, Memory, Tensor
from runners.aclnn.functions import Functions

HUGE_FIRST = 0
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
LEFT_BEHIND_BYTE = 0xFF
"""What a place holds after its tensors moved away: NaN in every float type, so that reading it shows."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """Device memory at ``start`` that mirrors all bytes of a host memory."""

    memory: Memory
    start: int

    @property
    def payload(self) -> int:
        """Device address of the payload."""
        return self.start + GUARD_BYTES


class Buffers:
    """The device memory of one call; freed when the stack that owns it closes."""

    def __init__(self, functions: Functions, owner: ExitStack) -> None:
        self._functions = functions
        self._owner = owner
        self._buffers: dict[int, Buffer] = {}

    def add(self, memory: Memory) -> Buffer:
        """The memory's buffer, made and filled when first asked for; raises DeviceError."""
        found = self._buffers.get(id(memory))
        if found is None:
            found = self._buffers[id(memory)] = self.fill(memory, self.reserve(memory.everything.nbytes))
        return found

    def reserve(self, nbytes: int) -> int:
        """Uninitialised device memory; raises DeviceError."""
        start = ctypes.c_void_p()
        self._functions.check("aclrtMalloc", ctypes.byref(start), nbytes, HUGE_FIRST)
        assert start.value is not None
        self._owner.callback(self._functions["aclrtFree"], start.value)
        return start.value

    def fill(self, memory: Memory, start: int) -> Buffer:
        """The memory's buffer at a reserved place, holding the memory's bytes now; raises DeviceError."""
        buffer = self._buffers[id(memory)] = Buffer(memory, start)
        self._upload(buffer)
        return buffer

    def address_of(self, tensor: Tensor) -> int:
        """Device address of a tensor's payload: of its storage's first element, not the view's."""
        return self.add(tensor.memory).payload

    def move(self, memories: Iterable[Memory]) -> None:
        """Give these memories' buffers other places, contents included; the old places are overwritten."""
        self.download()
        for memory in memories:
            old = self._buffers[id(memory)]
            self.fill(memory, self.reserve(memory.everything.nbytes))
            left = np.full(memory.everything.nbytes, LEFT_BEHIND_BYTE, np.uint8)
            self._functions.check("aclrtMemcpy", old.start, left.nbytes, left.ctypes.data, left.nbytes, HOST_TO_DEVICE)

    def upload(self, memories: Iterable[Memory]) -> None:
        """Copy these memories to the device once more; raises DeviceError."""
        for memory in memories:
            self._upload(self._buffers[id(memory)])

    def download(self) -> None:
        """Copy every buffer, inputs and workspaces too, back into its memory; raises DeviceError."""
        for buffer in self._buffers.values():
            host, size = buffer.memory.everything.ctypes.data, buffer.memory.everything.nbytes
            self._functions.check("aclrtMemcpy", host, size, buffer.start, size, DEVICE_TO_HOST)

    def _upload(self, buffer: Buffer) -> None:
        host, size = buffer.memory.everything.ctypes.data, buffer.memory.everything.nbytes
        self._functions.check("aclrtMemcpy", buffer.start, size, host, size, HOST_TO_DEVICE)
