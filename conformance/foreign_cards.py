"""Cards of the cases in other suites' files: what is known of a case before its call is made.

Making a call of what a file states (outputs, products, facets) takes ten times as long as reading it, and waits until
somebody asks. A card holds nothing of its file's content: the file is then read again, and the last few are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from conformance.caches import FOREIGN
from conformance.card import DEFAULT
from conformance.case import Case
from conformance.errors import InvalidData, Location, Problem
from conformance.foreign.build import Unbuilt
from conformance.foreign.file_options import PLAIN, FileOptions
from conformance.foreign_files import unbuilt_and_problems
from conformance.index import code_digest
from conformance.kept import entry_of, keep, make_room, read_kept

_FILES_KEPT, _CASES_KEPT = 8, 256


@dataclass(frozen=True, slots=True, eq=False)
class _File:
    """A file as it was listed; another listing of it is another file, since its content may have changed."""

    path: Path
    how: FileOptions


@dataclass(frozen=True, slots=True)
class ForeignCard:
    """A case that another suite's file states. What its call decides is found out by making it."""

    id: str
    api: str
    group: str
    about: str
    home: _File

    @property
    def path(self) -> Path:
        """File it stands in."""
        return self.home.path

    @property
    def tier(self) -> str:
        """The tier of all such cases."""
        return DEFAULT

    @property
    def exercises(self) -> tuple[str, ...]:
        """Such files name no constraints."""
        return ()

    @property
    def products(self) -> frozenset[str]:
        """Where it applies."""
        return self.case().products

    @property
    def facets(self) -> frozenset[str]:
        """The words it can be picked by."""
        return self.case().facets

    @property
    def is_steady(self) -> bool:
        """Whether it is small, succeeds and must always answer the same."""
        return self.case().is_steady

    def case(self) -> Case:
        """The case; raises InvalidData where its file no longer has it."""
        return _case(self.home, self.id)


def cards_and_problems(path: Path, how: FileOptions = PLAIN) -> tuple[list[ForeignCard], list[Problem]]:
    """Cards of a file, and the problems of cases that cannot be read; raises InvalidData where none can.

    Cards of a file without problems are kept in the user's cache, under a digest of all that they come from.
    """
    entry, key, home = entry_of(FOREIGN, path), _key(path, how), _File(path, how)
    known: list[list[str]] | None = read_kept(entry, key) if key else None
    if known is not None:
        return [ForeignCard(case_id, api, group, about, home) for case_id, api, group, about in known], []
    unbuilt, problems = unbuilt_and_problems(path, how)
    stated = (one.stated for one in unbuilt)
    cards = [ForeignCard(one.id, one.api, one.group, one.about, home) for one in stated]
    if not problems and _key(path, how) == key:
        keep(entry, key, [[card.id, card.api, card.group, card.about] for card in cards])
    return cards, problems


def _key(path: Path, how: FileOptions) -> str:
    """Digest of what cards come from; "" of a file that cannot be read, which its reader then says."""
    try:
        digest = hashlib.sha256(path.read_bytes())
    except OSError:
        return ""
    for part in (repr(how).encode(), path.name.encode("utf-8", "surrogateescape"), code_digest()):
        digest.update(b"\0" + part)
    return digest.hexdigest()


def cards_or_problem(path: Path, how: FileOptions = PLAIN) -> list[ForeignCard]:
    """Cards of every case of a file; raises InvalidData when one cannot be read."""
    cards, problems = cards_and_problems(path, how)
    if problems:
        raise InvalidData(problems)
    return cards


def all_cards(paths: list[Path], how: FileOptions = PLAIN) -> Iterator[ForeignCard | Problem]:
    """Cards and problems of many files, one file at a time."""
    make_room(FOREIGN)
    for path in paths:
        try:
            cards, problems = cards_and_problems(path, how)
            yield from cards
            yield from problems
        except InvalidData as error:
            yield from error.problems


@lru_cache(_CASES_KEPT)
def _case(home: _File, case_id: str) -> Case:
    unbuilt = _opened(home).get(case_id)
    if unbuilt is None:
        what = f"{case_id} is no longer among its cases: the file was changed meanwhile"
        raise InvalidData([Problem(Location(home.path), what, "run again")])
    return unbuilt.build()


@lru_cache(_FILES_KEPT)
def _opened(home: _File) -> Mapping[str, Unbuilt]:
    return {one.stated.id: one for one in unbuilt_and_problems(home.path, home.how)[0]}
