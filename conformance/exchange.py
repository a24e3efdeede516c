"""How a call travels to a child process and back: as plain values, and its memories as bytes or in a shared file.

Parent and child map the same file, so big tensors are copied once each way, never pickled. Plain values are pickled in
a tenth of the time that objects take.
"""

from __future__ import annotations

import mmap
import os
import pickle
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np

from conformance.answer_log import LEAST_BYTES, LOG_BYTES
from conformance.call import Argument, Attribute, Call, Scalar, Step
from conformance.dtype import DTYPES
from conformance.outcome import Completed, Phase, Rejected, StepResult
from conformance.product import Product
from conformance.signature import Parameter, ParameterKind
from conformance.tensor import Bytes, Format, Memory, Tensor

SHARED_FROM = 1 << 16
"""Memories of together at least this many bytes go through the shared file."""
_ALIGNMENT = 64
_PADDING = bytes(_ALIGNMENT)
_IN_MEMORY = Path("/dev/shm")
_TENSOR, _LIST, _SCALAR, _ATTRIBUTE = range(4)
_COMPLETED, _REJECTED, _OTHER = range(3)
_FORMATS = {form.value: form for form in Format}

Span = tuple[int, int, bool]
"""Where a memory begins and ends among all of a call, and whether it has guards."""
Parcel = tuple[bytes, float, list[tuple[str, Any]], list[Span], bytes | None]
"""What calls have in common, the deadline, the arguments, where each memory lies, and the bytes of all memories: None
where they are in the shared file."""


class SharedFile:
    """An unnamed file that two processes map by the same descriptor. Not a value: it grows to the largest call."""

    def __init__(self, descriptor: int | None = None) -> None:
        self._file = None
        if descriptor is None:
            self._file = _unnamed_file()
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

    def log(self) -> Bytes:
        """Memory for an ``AnswerLog``, ahead of everything else; where the file system is full, of one without room."""
        try:
            return self.bytes(0, LOG_BYTES)
        except OSError:
            return np.empty(LEAST_BYTES, np.uint8)

    def close(self) -> None:
        """Forget the file; the system frees it when the other process has ended too."""
        self._map = None
        if self._file is not None:
            self._file.close()


def _unnamed_file() -> IO[bytes]:
    with suppress(OSError):  # there is no such folder, or it may not be written to
        return tempfile.TemporaryFile(dir=_IN_MEMORY)
    return tempfile.TemporaryFile()


def memories_of(call: Call) -> list[Memory]:
    """Every memory of the call's tensors once, in an order that parent and child agree on."""
    found: dict[int, Memory] = {}
    for written in (False, True):
        for _, tensor in call.tensors(written=written):
            found.setdefault(id(tensor.memory), tensor.memory)
    return list(found.values())


def pack(call: Call, shared: SharedFile) -> tuple[Parcel, list[Memory]]:
    """The call as plain values, and its memories in the order in which they travel: big ones are in ``shared`` now."""
    numbers: dict[Memory, int] = {}
    arguments = [(name, _plain(argument, numbers)) for name, argument in call.arguments.items()]
    memories = list(numbers)
    spans = _spans(memories)
    head = _head(call.api, call.product, call.parameters, call.steps)
    return (head, call.deadline, arguments, spans, _contents(memories, spans, shared)), memories


def is_light(call: Call) -> bool:
    """Whether the memories of a call travel as bytes, so that several such calls can be on their way."""
    return sum(len(memory.everything) + _ALIGNMENT for memory in memories_of(call)) < SHARED_FROM


def unpack(parcel: Parcel, shared: SharedFile) -> tuple[Call, Bytes]:
    """The call that ``pack`` packed, and the bytes that all its memories lie in."""
    head, deadline, arguments, spans, contents = parcel
    buffer = _shared(spans, shared) if contents is None else np.frombuffer(bytearray(contents), np.uint8)
    memories = [
        Memory.of_everything(buffer[start:end]) if guarded else Memory.over(buffer[start:end])
        for start, end, guarded in spans
    ]
    made = {name: _argument(plain, memories) for name, plain in arguments}
    api, product, parameters, steps = _read_head(head)
    return Call(api, product, parameters, made, steps, deadline), buffer


def contents_after(parcel: Parcel, buffer: Bytes) -> bytes | None:
    """What the memories of a parcel hold now: nothing where it is what they held, None where ``shared`` shows it."""
    before = parcel[-1]
    if before is None:
        return None
    now = buffer.tobytes()
    return b"" if now == before else now


def take_back(parcel: Parcel, memories: Sequence[Memory], contents: bytes | None, shared: SharedFile) -> None:
    """Bring what ``contents_after`` says of a parcel into its memories."""
    if contents == b"":
        return
    spans = parcel[-2]
    buffer = _shared(spans, shared) if contents is None else np.frombuffer(contents, np.uint8)
    for memory, (start, end, _) in zip(memories, spans, strict=True):
        memory.everything[:] = buffer[start:end]


def _spans(memories: Sequence[Memory]) -> list[Span]:
    """Where memories lie one after the other."""
    spans, start = [], 0
    for memory in memories:
        end = start + len(memory.everything)
        spans.append((start, end, memory.has_guards))
        start = end + -end % _ALIGNMENT
    return spans


def _contents(memories: Sequence[Memory], spans: Sequence[Span], shared: SharedFile) -> bytes | None:
    """The bytes of memories; None once large ones lie in ``shared``, as they do unless its file system is full."""
    if spans and spans[-1][1] >= SHARED_FROM:
        with suppress(OSError):
            buffer = _shared(spans, shared)
            for memory, (start, end, _) in zip(memories, spans, strict=True):
                buffer[start:end] = memory.everything
            return None
    parts: list[memoryview | bytes] = []
    for memory, (_, end, _) in zip(memories, spans, strict=True):
        parts += (memory.everything.data, _PADDING[: -end % _ALIGNMENT])
    return b"".join(parts)


def _shared(spans: Sequence[Span], shared: SharedFile) -> Bytes:
    return shared.bytes(LOG_BYTES, spans[-1][1])


@lru_cache(256)
def _head(api: str, product: Product, parameters: tuple[Parameter, ...], steps: tuple[Step, ...]) -> bytes:
    """What many calls have in common, pickled once."""
    return pickle.dumps((api, product, parameters, steps), pickle.HIGHEST_PROTOCOL)


@lru_cache(256)
def _read_head(head: bytes) -> tuple[str, Product, tuple[Parameter, ...], tuple[Step, ...]]:
    common: tuple[str, Product, tuple[Parameter, ...], tuple[Step, ...]] = pickle.loads(head)
    return common


def _plain(argument: Argument, numbers: dict[Memory, int]) -> Any:
    """An argument as plain values, memories by the numbers that they get."""
    if isinstance(argument, Tensor):
        number = numbers.setdefault(argument.memory, len(numbers))
        laid = (argument.shape, argument.strides, argument.offset, argument.storage_shape, argument.format.value)
        return (_TENSOR, argument.dtype.name, *laid, number)
    if isinstance(argument, tuple):
        return (_LIST, [_plain(one, numbers) for one in argument])
    if isinstance(argument, Scalar):
        return (_SCALAR, argument.dtype.name, argument.value)
    return None if argument is None else (_ATTRIBUTE, argument.kind.value, argument.value)


def _argument(plain: Any, memories: Sequence[Memory]) -> Any:
    """The argument that ``_plain`` made plain."""
    if plain is None:
        return None
    kind, *fields = plain
    if kind == _TENSOR:
        dtype, shape, strides, offset, storage_shape, form, number = fields
        return Tensor(DTYPES[dtype], shape, strides, offset, storage_shape, _FORMATS[form], memories[number])
    if kind == _LIST:
        return tuple(_argument(one, memories) for one in fields[0])
    if kind == _SCALAR:
        return Scalar(DTYPES[fields[0]], fields[1])
    return Attribute(ParameterKind(fields[0]), fields[1])


def pack_outcome(outcome: Any, steps: Sequence[Step]) -> Any:
    """An outcome as plain values, results with the numbers of their steps; whatever else a runner returned as it is."""
    with suppress(AttributeError, TypeError, ValueError):  # a phase that is none, results of other steps
        if type(outcome) is Completed:
            return _COMPLETED, _numbered(outcome.results, steps), outcome.workspace_bytes, outcome.facts
        if type(outcome) is Rejected:
            results = _numbered(outcome.results, steps)
            return _REJECTED, results, outcome.phase.value, outcome.status, outcome.message
    return _OTHER, outcome


def goes_on(answer: Sequence[Any]) -> bool:
    """Whether the calls after one that was so answered are made without waiting for a word: it returned."""
    kind, *told = answer
    return kind == "answer" and told[0][0] in (_COMPLETED, _REJECTED)


def unpack_outcome(plain: Any, steps: Sequence[Step]) -> Any:
    """The outcome that ``pack_outcome`` made plain."""
    kind, *fields = plain
    if kind == _OTHER:
        return fields[0]
    results = tuple(StepResult(steps[number], status, message) for number, status, message in fields[0])
    if kind == _COMPLETED:
        return Completed(results, *fields[1:])
    _, phase, status, message = fields
    return Rejected(Phase(phase), status, message, results)


def _numbered(results: tuple[StepResult, ...], steps: Sequence[Step]) -> list[tuple[int, int | None, str]]:
    """Number of the step, status and message of each result; raises where they are anything but results of steps."""
    if type(results) is not tuple or not set(map(type, results)) <= {StepResult}:
        raise TypeError("these are no results")
    return [(steps.index(result.step), result.status, result.message) for result in results]
