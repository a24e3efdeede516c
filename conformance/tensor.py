"""Tensors as an implementation sees them: a strided view of guarded memory.

A ``Memory`` is one allocation: guard bytes, the payload, guard bytes. A ``Tensor`` is dtype, shape, strides and offset
over such a payload, as ``aclCreateTensor`` takes them. Strides and offsets count elements, not bytes.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from conformance.dtype import DType

Shape = tuple[int, ...]
Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

GUARD_BYTES = 64
GUARD_BYTE = 0xC3
_INTACT = bytes([GUARD_BYTE]) * GUARD_BYTES
FILL_BYTE = 0xA5
"""What outputs hold before a call; no float type reads it as NaN, so an unwritten element is a finite wrong number."""
SECOND_FILL_BYTE = 0x5A
"""What a ``refill`` step writes, so that an output left over from an earlier run cannot pass."""
INPUT_GAP_BYTE = 0xFF
"""What lies between the elements of a strided input: NaN in every float type, so reading a gap shows."""
WORKSPACE_FILL_BYTE = 0x7F
"""What a workspace holds at first: NaN or huge in every float type, so reading it unwritten shows."""


class Format(Enum):
    """Storage formats and their ``aclFormat`` numbers."""

    UNDEFINED = -1
    NCHW = 0
    NHWC = 1
    ND = 2
    NC1HWC0 = 3
    FRACTAL_Z = 4
    HWCN = 16
    NDHWC = 27
    FRACTAL_NZ = 29
    NCDHW = 30
    NDC1HWC0 = 32
    NC = 35
    NCL = 47


class Memory:
    """One allocation with guard bytes on both sides; ``payload`` is what the implementation may touch.

    Not a value: implementations write it. It is compared by identity, so two tensors that share it alias.
    """

    __slots__ = ("_all", "payload")

    def __init__(self, nbytes: int, fill: int = FILL_BYTE) -> None:
        self._all: Bytes = np.empty(nbytes + 2 * GUARD_BYTES, dtype=np.uint8)
        self._all[:GUARD_BYTES] = self._all[GUARD_BYTES + nbytes :] = GUARD_BYTE
        self.payload: Bytes = self._all[GUARD_BYTES : GUARD_BYTES + nbytes]
        self.payload[:] = fill

    @classmethod
    def over(cls, payload: Bytes) -> Memory:
        """Memory that somebody else owns: ``payload`` as it is, without guard bytes."""
        memory = cls(0)
        memory._all = memory.payload = payload
        return memory

    @classmethod
    def of_everything(cls, everything: Bytes) -> Memory:
        """Memory whose guards and payload lie in ``everything`` already."""
        memory = cls.__new__(cls)
        memory._all = everything
        memory.payload = everything[GUARD_BYTES : len(everything) - GUARD_BYTES]
        return memory

    @property
    def has_guards(self) -> bool:
        """Whether there are guard bytes, as there are unless somebody else owns the memory."""
        return self._all is not self.payload

    def copy(self) -> Memory:
        """Memory of its own with the same bytes, guards included."""
        return Memory.of_everything(self._all.copy()) if self.has_guards else Memory.over(self._all.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.has_guards:
            return (Memory.over, (self.payload,))
        # Plain bytes travel to another process in a tenth of the time that an array takes.
        return (_memory_of, (bytearray(self._all),))

    @property
    def everything(self) -> Bytes:
        """Guards and payload together: what a runner copies to a device and back."""
        return self._all

    def guard_fault(self) -> int | None:
        """Offset in bytes, relative to the payload, of a changed guard byte beside it; None when all are intact."""
        if not self.has_guards:
            return None
        if self._all[:GUARD_BYTES].tobytes() == self._all[-GUARD_BYTES:].tobytes() == _INTACT:
            return None
        before = np.flatnonzero(self._all[:GUARD_BYTES] != GUARD_BYTE)
        if len(before):
            return int(before[-1]) - GUARD_BYTES
        after = np.flatnonzero(self._all[GUARD_BYTES + len(self.payload) :] != GUARD_BYTE)
        return int(after[0]) + len(self.payload) if len(after) else None


def _memory_of(everything: bytearray) -> Memory:
    return Memory.of_everything(np.frombuffer(everything, np.uint8))


class Tensor(Struct, frozen=True, eq=False):
    """A view over memory. ``storage_shape`` is what the caller declares as the physical extent."""

    dtype: DType
    shape: Shape
    strides: Shape
    offset: int
    storage_shape: Shape
    format: Format
    memory: Memory

    def over(self, memory: Memory) -> Tensor:
        """The same view of another memory; ``replace`` takes four times as long."""
        return Tensor(self.dtype, self.shape, self.strides, self.offset, self.storage_shape, self.format, memory)

    @property
    def numel(self) -> int:
        """Number of elements of the view."""
        return prod(self.shape)

    def view(self) -> Array:
        """Writable strided view of the elements, of shape ``shape``; raises ValueError for a dtype numpy lacks.

        ``array`` and ``store`` read and write elements of every dtype that has numbers.
        """
        dtype = self.dtype.numpy
        if dtype is None:
            raise ValueError(f"{self.dtype.name} cannot be viewed with numpy")
        if 0 in self.shape:
            return np.empty(self.shape, dtype)
        size = dtype.itemsize
        strides = [stride * size for stride in self.strides]
        # as_strided goes through numpy's array interface, which cannot name the float8 types.
        view: Array = np.ndarray(self.shape, dtype, self.memory.payload, self.offset * size, strides)
        return view

    def view_bytes(self) -> Bytes:
        """Writable view of the bytes of the elements, of shape ``(*shape, itemsize)``; for any byte-wide dtype."""
        size = self.dtype.itemsize
        if 0 in self.shape:
            return np.empty((*self.shape, size), np.uint8)
        strides = [*(stride * size for stride in self.strides), 1]
        view: Bytes = np.ndarray((*self.shape, size), np.uint8, self.memory.payload, self.offset * size, strides)
        return view

    def array(self) -> Array:
        """Contiguous copy of the elements; float32 numbers of a dtype that is stored as codes."""
        table = self.dtype.codes
        return np.array(self.view(), order="C") if table is None else table.decode(self._codes())

    def store(self, values: Array) -> None:
        """Write the elements; raises ValueError where a number is none of a dtype that is stored as codes."""
        table = self.dtype.codes
        if table is None:
            self.view()[...] = values
        elif self.dtype.bits == 8:
            self.view_bytes()[..., 0] = table.encode(np.broadcast_to(values, self.shape))
        else:
            halves = self._halves()
            halves[: self.numel] = table.encode(np.broadcast_to(values, self.shape)).reshape(-1)
            self.memory.payload[: len(halves) // 2] = halves[::2] | halves[1::2] << 4

    def _codes(self) -> Bytes:
        """Codes of the elements, one a byte."""
        if self.dtype.bits < 8:
            return self._halves()[: self.numel].reshape(self.shape)
        codes: Bytes = self.view_bytes()[..., 0].copy()
        return codes

    def _halves(self) -> Bytes:
        """Codes of four bits, an even number; two lie in a byte, the first in its low bits."""
        if not self.is_contiguous:
            raise ValueError(f"elements of {self.dtype.name} share bytes and can only lie densely")
        held = self.memory.payload[: (self.numel + 1) // 2]
        halves: Bytes = np.stack([held & 0xF, held >> 4], axis=-1).reshape(-1)
        return halves

    @property
    def is_contiguous(self) -> bool:
        """Whether the view is dense, in row-major order and starts at offset 0."""
        return self.offset == 0 and (self.strides == contiguous_strides(self.shape) or 0 in self.shape)


@lru_cache(4096)
def contiguous_strides(shape: Shape) -> Shape:
    """Row-major strides in elements."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return tuple(strides)


def distinct_shape(shape: Shape, strides: Shape) -> Shape:
    """``shape`` with 1 for each axis that is expanded (stride 0): one index for each distinct element."""
    if 0 not in strides:
        return shape
    return tuple(min(size, 1) if stride == 0 else size for size, stride in zip(shape, strides, strict=True))


def new_tensor(dtype: DType, shape: Shape, format: Format = Format.ND) -> Tensor:  # noqa: A002 - the field's word
    """Fresh contiguous tensor of the given shape, filled with the output pattern."""
    memory = Memory(prod(shape) * dtype.itemsize)
    return Tensor(dtype, shape, contiguous_strides(shape), 0, shape, format, memory)
