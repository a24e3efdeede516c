"""What a call may not do to memory: write outside outputs and workspace, into gaps, or into its inputs.

Taken before the call and compared after it, for every runner whose outputs are in the call's memory.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum

import numpy as np

from conformance.call import Call
from conformance.tensor import FILL_BYTE, SECOND_FILL_BYTE, Bytes, Memory, Tensor, contiguous_strides


class MemoryRule(Enum):
    """The rules that memory is checked against."""

    GUARD = "guard"
    GAP = "gap"
    INPUT = "input"


@dataclass(frozen=True, slots=True)
class MemoryFault:
    """One broken rule: on which argument (or ``workspace``), and what was seen."""

    rule: MemoryRule
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


class Snapshot:
    """Memory of a call as it was before the run; not a value, it belongs to one run of one call."""

    def __init__(self, call: Call) -> None:
        self._call = call
        written = {id(tensor.memory) for _, tensor in call.tensors(written=True)}
        self._inputs = {
            name: (tensor, _contents(tensor.memory))
            for name, tensor in call.tensors(written=False)
            if id(tensor.memory) not in written
        }
        read = {id(tensor.memory) for _, tensor in (*call.tensors(written=False), *call.updated())}
        self._in_place = {
            name: (tensor, _contents(tensor.memory))
            for name, tensor in call.tensors(written=True)
            if id(tensor.memory) in read
        }
        self._gaps: dict[str, tuple[Tensor, Bytes]] = {
            name: (tensor, tensor.memory.payload.copy())
            for name, tensor in call.tensors(written=True)
            if _has_gaps(tensor)
        }

    def faults(self) -> list[MemoryFault]:
        """Every rule that the run broke, whatever its outcome."""
        return [*self._guard_faults(), *self._input_faults(), *self._gap_faults()]

    def untouched(self) -> frozenset[str]:
        """Outputs none of whose elements was written: they hold the fill pattern, or what their input held."""
        patterned = {
            name
            for name, tensor in self._call.tensors(written=True)
            if tensor.numel and name not in self._in_place and _holds_pattern(tensor)
        }
        return frozenset(patterned) | {
            name for name, (tensor, held) in self._in_place.items() if tensor.numel and _contents(tensor.memory) == held
        }

    @property
    def in_place(self) -> frozenset[str]:
        """Outputs that are read too, or share memory with an input: what they held may be what was written."""
        return frozenset(self._in_place)

    def _guard_faults(self) -> list[MemoryFault]:
        tensors = [*self._call.tensors(written=True), *self._call.tensors(written=False)]
        memories: list[tuple[str, Memory]] = [(name, tensor.memory) for name, tensor in tensors]
        memories += [("workspace", memory) for memory in self._call.workspaces]
        faults = []
        for name, memory in memories:
            at = memory.guard_fault()
            if at is not None:
                side = f"{-at} bytes before its start" if at < 0 else f"{at - len(memory.payload)} bytes past its end"
                faults.append(MemoryFault(MemoryRule.GUARD, name, f"memory written {side}"))
        return faults

    def _input_faults(self) -> list[MemoryFault]:
        return [
            MemoryFault(MemoryRule.INPUT, name, "an input was modified")
            for name, (tensor, held) in self._inputs.items()
            if _contents(tensor.memory) != held and tensor.memory.guard_fault() is None
        ]

    def _gap_faults(self) -> list[MemoryFault]:
        faults = []
        for name, (tensor, before) in self._gaps.items():
            after = tensor.memory.payload
            changed = (after != before) & ~_element_bytes(tensor)
            if changed.any():
                at = int(np.flatnonzero(changed)[0])
                faults.append(
                    MemoryFault(MemoryRule.GAP, name, f"byte {at} of the storage is outside the view and changed")
                )
        return faults


_COPIED = 1 << 24
"""Bytes up to which a memory is copied: hashing takes fifteen times as long, and no memory."""


def _contents(memory: Memory) -> bytes:
    """What a memory holds: all of it, or its hash where that would be too much."""
    everything = memory.everything
    return everything.tobytes() if len(everything) <= _COPIED else hashlib.sha256(everything.data).digest()


def _has_gaps(tensor: Tensor) -> bool:
    """Whether the payload has bytes outside the view; of dtypes narrower than a byte no byte can be told to be one."""
    if tensor.dtype.bits % 8:
        return False
    dense = tensor.is_contiguous or (
        tensor.offset == 0 and sorted(tensor.strides) == sorted(contiguous_strides(tensor.shape))
    )
    return not (dense and len(tensor.memory.payload) == tensor.numel * tensor.dtype.itemsize)


def _element_bytes(tensor: Tensor) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which bytes of the payload belong to elements of the view."""
    memory = Memory(len(tensor.memory.payload), 0)
    tensor.over(memory).view_bytes()[...] = 1
    marks: np.ndarray[tuple[int], np.dtype[np.bool_]] = memory.payload.astype(np.bool_)
    return marks


def _holds_pattern(tensor: Tensor) -> bool:
    """Whether every element holds what was there before the call, or what a ``refill`` step puts there."""
    held = tensor.memory.payload if tensor.dtype.bits % 8 else tensor.view_bytes()
    first = held.flat[0]
    return first in (FILL_BYTE, SECOND_FILL_BYTE) and bool((held == first).all())
