"""What pytest collects: a file is its cases' collector, a case an item whose name is its id.

Items are as many as cases, so they hold little: a card, and of what pytest gives each item only what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conformance.card import Card
from conformance.case import Case
from conformance.errors import ConformanceError, InvalidData
from conformance.facets import MARKERS
from conformance.foreign_files import cases_or_problem, is_foreign
from conformance.index import Index

INDEX = pytest.StashKey[Index]()
EXECUTE = pytest.StashKey[Callable[["CaseItem"], None]]()
"""What runs an item and speaks its verdict in pytest's words: of the run's stash."""


class CasesFile(pytest.File):
    """One case file; its items are its cases."""

    def collect(self) -> Iterator[CaseItem]:
        """The cases of the file, or one readable error."""
        for card in self._cards():
            yield CaseItem.from_parent(self, name=card.id, card=card)

    def _cards(self) -> tuple[Card, ...] | list[Case]:
        if is_foreign(self.path):
            return cases_or_problem(self.path, self.config.getoption("--atk-slice"))
        return self.config.stash[INDEX].cards_of(self.path)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Data errors as they are, without a traceback."""
        if isinstance(excinfo.value, InvalidData):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class NotConforming(Exception):
    """Carries the failure text of a red verdict."""


class _OnDemand:
    """An attribute that pytest gives every item when it is made, and that most never need: made when first read."""

    def __init__(self, make: Callable[[CaseItem], Any]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, item: CaseItem | None, owner: type) -> Any:
        if item is None or not item.is_made:
            return None
        if self._name not in item.__dict__:
            item.__dict__[self._name] = self._make(item)
        return item.__dict__[self._name]

    def __set__(self, item: CaseItem, value: Any) -> None:
        if item.is_made:
            item.__dict__[self._name] = value


@cache
def _mark(facet: str) -> pytest.Mark:
    decorator: pytest.MarkDecorator = getattr(pytest.mark, facet)
    return decorator.mark


class CaseItem(pytest.Item):
    """One case. Facets are keywords; those of the closed set are markers too."""

    __slots__ = ("card",)
    card: Card | Case

    own_markers = _OnDemand(lambda item: [_mark(facet) for facet in sorted(item.card.facets & MARKERS.keys())])
    extra_keyword_matches = _OnDemand(lambda item: set(item.card.facets))
    keywords = _OnDemand(lambda item: item.listchain()[-2].keywords)
    stash = _OnDemand(lambda item: pytest.Stash())
    user_properties = _OnDemand(lambda item: [])
    _report_sections = _OnDemand(lambda item: [])

    def __init__(self, *, card: Card | Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.card = card

    @property
    def is_made(self) -> bool:
        """Whether pytest's own constructor is done."""
        return hasattr(self, "card")

    def runtest(self) -> None:
        """Execute the case and turn its verdict into pytest's words."""
        self.config.stash[EXECUTE](self)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure text alone; suite errors without a traceback."""
        if isinstance(excinfo.value, (NotConforming, ConformanceError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the case stands and its id."""
        return self.path, None, self.name
