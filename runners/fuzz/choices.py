"""Where every decision about a made call comes from: a fuzzer's draws, or a fixed sequence."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choices(Protocol):
    """One decision after another; the earlier an option stands, the simpler it is."""

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, of which there is at least one."""
        ...

    def indices(self, below: int, count: int) -> list[int]:
        """``count`` numbers from 0 to ``below`` - 1."""
        ...


class SeededChoices:
    """Choices of a seeded generator: the same seed, the same call. Not a value: it moves on with each choice."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        return self._random.choice(options)

    def indices(self, below: int, count: int) -> list[int]:
        """``count`` equally likely numbers from 0 to ``below`` - 1."""
        return [self._random.randrange(below) for _ in range(count)]
