"""What pytest collects: a file is its cases' collector, a case an item whose name is its id.

Items are as many as cases, so they hold little: a card, and of what pytest gives each item only what was asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.errors import ConformanceError, InvalidData, Problem
from conformance.foreign.heads import is_foreign
from conformance.index import Index
from conformance.markers import MARKERS
from conformance.pytest_options import options_of
from conformance.pytest_phases import CaseHooks, any_decides

if TYPE_CHECKING:
    from conformance.listing import AnyCard

INDEX = pytest.StashKey[Index]()
SHARE = pytest.StashKey[dict[str, Any]]()
"""Which share of a selection this run is, as its record says."""
PROBLEMS = pytest.StashKey[list["ProblemItem"]]()
"""What of the files cannot be read: a run is red for it, whatever is selected."""
FOREIGN = pytest.StashKey[list["CasesFile"]]()
"""Other suites' files."""
EXECUTE = pytest.StashKey[Callable[["CaseItem"], None]]()
"""What runs an item and speaks its verdict in pytest's words: of the run's stash."""


class CasesFile(pytest.File):
    """One case file; its items are its cases, and what of it cannot be read."""

    is_set_up = False

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """The cases of the file, and its problems: they fail where cases are run, and the others run all the same."""
        try:
            cards, problems = self._cards_and_problems()
        except InvalidData as error:
            cards, problems = (), error.problems
        yield from CaseItem.all_from(self, cards)
        if problems and self.config.getoption("collectonly"):
            yield Unreadable.from_parent(self, name="unreadable", problems=problems)
        elif problems:
            items = [
                ProblemItem.from_parent(self, name=f"unreadable-{number}", problem=problem)
                for number, problem in enumerate(problems, 1)
            ]
            self.config.stash.setdefault(PROBLEMS, []).extend(items)
            yield from items

    @cached_property
    def hooks(self) -> CaseHooks:
        """Hooks that apply to its items, looked up once."""
        return CaseHooks(self)

    @cached_property
    def words(self) -> dict[str, Any]:
        """Its keywords, which those of its cases begin with."""
        return dict(self.keywords)

    @cached_property
    def place(self) -> str:
        """Its path as reports have it."""
        return os.path.relpath(self.path, self.config.rootpath)

    def setup(self) -> None:
        """Note that what its cases need is set up."""
        self.is_set_up = True

    def teardown(self) -> None:
        """Note that it is no more."""
        self.is_set_up = False

    def _cards_and_problems(self) -> tuple[Sequence[AnyCard], Sequence[Problem]]:
        if not is_foreign(self.path):
            return self.config.stash[INDEX].cards_of(self.path), ()
        # Deferred for the sake of runs that have none: numpy and all take half a second to import.
        from conformance.foreign_cards import cards_and_problems

        self.config.stash.setdefault(FOREIGN, []).append(self)
        return cards_and_problems(self.path, options_of(self.config).file_options)


class Unreadable(pytest.Collector):
    """What of a file cannot be read, where cases are collected only: an error, beside the cases that can be."""

    def __init__(self, *, problems: Sequence[Problem], **given: Any) -> None:
        super().__init__(**given)
        self._problems = problems

    def collect(self) -> Iterator[pytest.Item]:
        """Raises what is wrong."""
        raise InvalidData(list(self._problems))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is wrong, without a traceback."""
        return str(excinfo.value)


class ProblemItem(pytest.Item):
    """A case that cannot be read: it fails and says why, and the others of its file run."""

    def __init__(self, *, problem: Problem, **given: Any) -> None:
        super().__init__(**given)
        self.problem = problem

    def runtest(self) -> None:
        """Raises what is wrong."""
        raise InvalidData([self.problem])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is wrong, without a traceback."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        return self.path, 0, self.name


class NotConforming(Exception):
    """Carries the failure text of a red verdict."""


@cache
def _mark(facet: str) -> pytest.Mark:
    decorator: pytest.MarkDecorator = getattr(pytest.mark, facet)
    return decorator.mark


class CaseItem(pytest.Item):
    """One case. Facets are keywords; those of the closed set are markers too.

    What pytest's own constructor gives each item (markers, keywords, a stash, …) is made here when it is first read:
    most items are never asked for it.
    """

    __slots__ = ("card",)
    card: AnyCard

    @classmethod
    def all_from(cls, parent: CasesFile, cards: Iterable[AnyCard]) -> Iterator[CaseItem]:
        """An item for each card."""
        for card in cards:
            item = cls.__new__(cls)
            item.parent, item.config, item.session, item.path = parent, parent.config, parent.session, parent.path
            item.name, item.card = card.id, card
            yield item

    @cached_property
    def own_markers(self) -> list[pytest.Mark]:  # type: ignore[override]
        """Facets of the closed set."""
        return [_mark(facet) for facet in sorted(self.card.facets & MARKERS.keys())]

    @cached_property
    def extra_keyword_matches(self) -> set[str]:  # type: ignore[override]
        """What ``-k`` matches beside the id and its place."""
        return set(self.card.facets)

    @cached_property
    def keywords(self) -> MutableMapping[str, Any]:  # type: ignore[override]
        """Its id and those of the file, for every report carries them; facets are markers."""
        return {**self._file.words, self.name: True}

    @cached_property
    def stash(self) -> pytest.Stash:  # type: ignore[override]
        """Where plugins keep what is theirs."""
        return pytest.Stash()

    @cached_property
    def user_properties(self) -> list[tuple[str, object]]:  # type: ignore[override]
        """Of other plugins; there are none of ours."""
        return []

    @cached_property
    def _report_sections(self) -> list[tuple[str, str, str]]:  # type: ignore[override]
        return []

    @property
    def nodeid(self) -> str:
        """The file's, and the id."""
        return f"{self._file.nodeid}::{self.name}"

    @cached_property
    def location(self) -> tuple[str, int | None, str]:
        """What reports say of where it is; pytest would look at the path anew for each item."""
        return self._file.place, 0, self.name

    @property
    def id(self) -> Any:
        """The node's id as newer pytests have it."""
        return self._file.id.child(self.name)

    @property
    def ihook(self) -> CaseHooks:  # type: ignore[override]
        """The hooks of its file."""
        return self._file.hooks

    def is_amid(self, nextitem: pytest.Item | None) -> bool:
        """Whether it is run between two items of its file and concerns nobody but pytest, so that a call is all."""
        amid = nextitem is not None and nextitem.parent is self.parent and self._file.is_set_up
        return amid and self.ihook.only_calls and not any_decides(self.own_markers)

    @property
    def _file(self) -> CasesFile:
        assert isinstance(self.parent, CasesFile)
        return self.parent

    def runtest(self) -> None:
        """Execute the case and turn its verdict into pytest's words."""
        self.config.stash[EXECUTE](self)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure text alone; suite errors without a traceback."""
        if isinstance(excinfo.value, (NotConforming, ConformanceError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The case's file and its id; pytest wants a line where a mark skips an item."""
        return self.path, 0, self.name
