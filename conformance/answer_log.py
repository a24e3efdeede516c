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
_LENGTH = struct.Struct("@Q")
"""What comes before an answer: its length in bytes."""


class AnswerLog:
    """One side's view of a log: who answers adds, who asked takes. Not a value: it knows where it is.

    The memory begins with where the last answer ends and when it was given, numbers that are each written in one piece.
    """

    def __init__(self, memory: Bytes) -> None:
        """``memory`` has room for these two at least."""
        self._memory = memory.data
        self._end, self._time = self._memory[:8].cast("Q"), self._memory[8:LEAST_BYTES].cast("d")
        self.begin()

    def begin(self) -> None:
        """Forget what the log holds, since a question is asked now."""
        self._at = self._seen = self._end[0] = LEAST_BYTES
        self._time[0] = monotonic()

    def add(self, answer: bytes) -> bool:
        """Leave a pickled answer; False where there is no room for it."""
        start = self._at + _LENGTH.size
        end = start + len(answer)
        if end > len(self._memory):
            return False
        _LENGTH.pack_into(self._memory, self._at, len(answer))
        self._memory[start:end] = answer
        self._at = self._end[0] = end
        self._time[0] = monotonic()
        return True

    def look(self) -> None:
        """See what has been added: once that was said, since memory alone does not tell in which order it was written.

        Raises ValueError where something has written over what the log says of itself.
        """
        if not self._seen <= self._end[0] <= len(self._memory):
            raise ValueError(f"the log of answers was written over: it ends at {self._end[0]}")
        self._seen = self._end[0]

    def take(self) -> Any:
        """The next answer of those seen; None where there is none. ValueError where something has written over it."""
        if self._at >= self._seen:
            return None
        start = self._at + _LENGTH.size
        self._at = start + _LENGTH.unpack_from(self._memory, self._at)[0]
        try:
            return pickle.loads(self._memory[start : self._at])
        except Exception as error:  # whatever stands there now
            raise ValueError(f"an answer was written over: {error}") from None

    @property
    def since(self) -> float:
        """When the last answer was given, or the question asked, on the machine's monotonic clock.

        Now, where something has written over it: nobody may wait for ever.
        """
        noted, now = self._time[0], monotonic()
        return noted if noted <= now else now
