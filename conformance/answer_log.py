"""Answers left in memory that two processes map: they are there whatever becomes of the one that gave them.

Who asked is woken once for many of them, and still knows when each was given.
"""

from __future__ import annotations

import pickle
import struct
from time import monotonic
from typing import Any

from conformance.tensor import Bytes

LOG_BYTES, LEAST_BYTES = 1 << 18, 16
"""Memory that a log takes, and that one takes which has no room for answers."""
_HEAD = struct.Struct("@Qd")
"""Where the last answer ends, and when it was given; a number is written at once in the machine's own order."""
_LENGTH = struct.Struct("@Q")
"""What comes before an answer: its length in bytes."""


class AnswerLog:
    """One side's view of a log: who answers adds, who asked takes. Not a value: it knows where it is."""

    def __init__(self, memory: Bytes) -> None:
        """``memory`` has room for what is said of the last answer at least."""
        self._memory = memory.data
        self.begin()

    def begin(self) -> None:
        """Forget what the log holds, since a question is asked now."""
        self._at = _HEAD.size
        _HEAD.pack_into(self._memory, 0, self._at, monotonic())

    def add(self, answer: bytes) -> bool:
        """Leave a pickled answer; False where there is no room for it."""
        start = self._at + _LENGTH.size
        end = start + len(answer)
        if end > len(self._memory):
            return False
        _LENGTH.pack_into(self._memory, self._at, len(answer))
        self._memory[start:end] = answer
        self._at = end
        _HEAD.pack_into(self._memory, 0, end, monotonic())
        return True

    def take(self) -> Any:
        """The next answer; None where none is there yet."""
        if _HEAD.unpack_from(self._memory)[0] <= self._at:
            return None
        start = self._at + _LENGTH.size
        self._at = start + _LENGTH.unpack_from(self._memory, self._at)[0]
        return pickle.loads(self._memory[start : self._at])

    @property
    def since(self) -> float:
        """When the last answer was given, or the question asked, on the machine's monotonic clock.

        Now, where something has written over it: nobody may wait for ever.
        """
        noted, now = float(_HEAD.unpack_from(self._memory)[1]), monotonic()
        return noted if noted <= now else now
