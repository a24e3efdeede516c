"""Cards of every case of some paths, and the cases themselves when they are asked for: what both doors start from.

A case is expanded with its group, when it is first needed. The groups used last are kept, so that a run in the order
of the files expands each once and holds few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from conformance.card import Card
from conformance.case import Case, CaseFile
from conformance.copies import notes_of, without_copies
from conformance.corpus import files_for, shared_ids
from conformance.data import find_case_files
from conformance.errors import InvalidData, Location, Problem
from conformance.expand import expand_group
from conformance.foreign.file_options import PLAIN, FileOptions
from conformance.foreign.heads import is_foreign
from conformance.foreign_cards import ForeignCard, all_cards
from conformance.foreign_files import chosen_foreign_files
from conformance.garbage import collected_later
from conformance.index import Index
from conformance.load import load_case_file

AnyCard = Card | ForeignCard | Case
"""What stands for a case until its call is needed; a case may stand for itself."""
_GROUPS_KEPT, _FILES_KEPT = 2048, 32


@dataclass(frozen=True, slots=True)
class Listing:
    """What there is: a card for each case, the problems of the rest, and what is worth a note."""

    cards: tuple[AnyCard, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()


def load_listing(
    paths: Iterable[Path] | None = None, selectors: Iterable[str] = (), how: FileOptions = PLAIN
) -> Listing:
    """Every case under ``paths``, as ``load_corpus`` takes them; never raises for bad data."""
    wanted = list(selectors)
    chosen = files_for(wanted) if paths is None else list(paths)
    native = find_case_files(chosen if chosen is None else [path for path in chosen if not is_foreign(path)])
    foreign = chosen_foreign_files(chosen, wanted, alone=not native) if paths is not None and chosen else []
    foreign, copies = without_copies(foreign, how)
    cards: list[AnyCard] = []
    problems: list[Problem] = []
    index = Index()
    for path in native:
        try:
            cards.extend(index.cards_of(path))
        except InvalidData as error:
            problems.extend(error.problems)
    with collected_later():
        for one in all_cards(foreign, how):
            if isinstance(one, Problem):
                problems.append(one)
            else:
                cards.append(one)
    problems.extend(shared_ids(cards))
    # A broken contract is the problem of every case file beside it, and still one problem.
    return Listing(tuple(cards), tuple(dict.fromkeys(problems)), notes_of(copies))


class Bodies:
    """Cases of cards. Not a value: it keeps the groups and files that it opened last."""

    def __init__(self) -> None:
        self._group = lru_cache(_GROUPS_KEPT)(self._expanded)
        self._file = lru_cache(_FILES_KEPT)(load_case_file)

    def case(self, card: AnyCard) -> Case:
        """The case of a card; raises InvalidData where its file no longer has it."""
        if isinstance(card, ForeignCard):
            return card.case()
        if isinstance(card, Case):
            return card
        found = self._group(card.path, card.group).get(card.id)
        if found is None:
            what = f"{card.id} is no longer among its cases: the file was changed meanwhile"
            raise InvalidData([Problem(Location(card.path), what, "run again")])
        return found

    def _expanded(self, path: Path, name: str) -> Mapping[str, Case]:
        file: CaseFile = self._file(path)
        return {case.id: case for group in file.groups if group.name == name for case in expand_group(file, group)}
