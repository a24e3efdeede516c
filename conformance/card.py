"""Cards: what selection, order and shares look at of a case, without the call itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

DEFAULT, LARGE, HUGE = "default", "large", "huge"
"""Tiers that a group can give to its cases."""


class Listed(Protocol):
    """What a case and its card have in common."""

    @property
    def id(self) -> str:
        """The case's id."""
        ...

    @property
    def api(self) -> str:
        """Name of its API."""
        ...

    @property
    def path(self) -> Path:
        """File it stands in."""
        ...

    @property
    def group(self) -> str:
        """Name of its group."""
        ...

    @property
    def about(self) -> str:
        """What its group is for."""
        ...

    @property
    def tier(self) -> str:
        """Tier that its group gives it."""
        ...

    @property
    def products(self) -> frozenset[str]:
        """Where it applies."""
        ...

    @property
    def facets(self) -> frozenset[str]:
        """The words it can be picked by."""
        ...

    @property
    def exercises(self) -> tuple[str, ...]:
        """Labels of the constraints it is there for."""
        ...

    @property
    def is_steady(self) -> bool:
        """Whether it is small, succeeds and must always answer the same."""
        ...


L = TypeVar("L", bound=Listed)
"""Cases, or cards: what is chosen from either is of the same kind."""


@dataclass(frozen=True, slots=True)
class FileCard:
    """What the cases of a file have in common; ``words`` are all facets that some of them has."""

    path: Path
    api: str
    words: tuple[str, ...] = field(repr=False, default=())


@dataclass(frozen=True, slots=True)
class GroupCard:
    """What the cases of a group have in common; ``line`` is where it begins, None where a template holds it."""

    file: FileCard
    name: str
    about: str
    line: int | None
    tier: str
    exercises: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a case before its call is made. ``mask`` has a bit for each of its file's words.

    There are as many cards as cases, so they are small: what others have too is held once.
    """

    id: str
    home: GroupCard
    products: frozenset[str]
    mask: int
    is_steady: bool

    @property
    def api(self) -> str:
        """Name of its API."""
        return self.home.file.api

    @property
    def path(self) -> Path:
        """File it stands in."""
        return self.home.file.path

    @property
    def group(self) -> str:
        """Name of its group."""
        return self.home.name

    @property
    def about(self) -> str:
        """What its group is for."""
        return self.home.about

    @property
    def tier(self) -> str:
        """Tier that its group gives it."""
        return self.home.tier

    @property
    def exercises(self) -> tuple[str, ...]:
        """Labels of the constraints it is there for."""
        return self.home.exercises

    @property
    def facets(self) -> frozenset[str]:
        """The words it can be picked by."""
        return frozenset(word for place, word in enumerate(self.home.file.words) if self.mask >> place & 1)
