"""What of a tree of other suites' files can be run, and why the rest cannot; about as quick as parsing the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from conformance.atk.outlook import atk_outlooks
from conformance.case import ELEMENT_CAP
from conformance.copies import notes_of, sharing_a_name, without_copies
from conformance.corpus import shared_ids
from conformance.data import files_below
from conformance.errors import InvalidData, Location, Problem
from conformance.foreign.heads import ATK, MSOPST, SUFFIXES, TTK, broken_of, reader_of, suite_of
from conformance.foreign.lists import places_in_list
from conformance.foreign.outlook import Outlook, Outlooks
from conformance.foreign_cards import all_cards
from conformance.garbage import collected_later
from conformance.msopst.cases import msopst_outlooks
from conformance.select import Limits
from conformance.surveyed import Surveyed
from conformance.ttk.cases import ttk_outlooks
from conformance.ttk.table import places_in_table


@dataclass(frozen=True, slots=True)
class _Suite:
    """What becomes of the cases of a file, and where in the file they stand."""

    outlooks: Callable[[Path, Limits], Outlooks]
    places: Callable[[Path, Iterable[int]], list[Location]]


_SUITES = {
    ATK: _Suite(atk_outlooks, places_in_list),
    MSOPST: _Suite(msopst_outlooks, places_in_list),
    TTK: _Suite(ttk_outlooks, places_in_table),
}


@dataclass(frozen=True, slots=True)
class Survey:
    """What became of the cases of each file that could be read, and the problems of those that could not."""

    found: Mapping[Path, Outlooks]
    problems: tuple[Problem, ...]
    files: int
    notes: tuple[str, ...] = ()

    @property
    def cases(self) -> int:
        """Cases of all files."""
        return self.outcomes.total()

    @property
    def outcomes(self) -> Counter[str]:
        """Cases by outcome."""
        return sum(self.apis.values(), Counter())

    @property
    def apis(self) -> Mapping[str, Counter[str]]:
        """API → its cases by outcome."""
        apis: dict[str, Counter[str]] = {}
        for outlook, places in self._outlooks():
            apis.setdefault(outlook.api, Counter())[outlook.outcome] += len(places)
        return apis

    @property
    def reasons(self) -> Counter[tuple[str, str]]:
        """Cases by outcome and reason."""
        reasons: Counter[tuple[str, str]] = Counter()
        for outlook, places in self._outlooks():
            reasons[outlook.outcome, outlook.why] += len(places)
        return reasons

    def _outlooks(self) -> Iterator[tuple[Outlook, list[int]]]:
        return ((outlook, places) for outlooks in self.found.values() for outlook, places in outlooks.items())

    def not_run(self) -> Iterator[tuple[Location, Outlook]]:
        """Every case that has a reason, in the order of the files; these are read again, to find out lines."""
        for path, outlooks in self.found.items():
            told = sorted({(place, outlook) for outlook in outlooks if outlook.why for place in outlooks[outlook]})
            places = _SUITES[reader_of(path)].places(path, [place for place, _ in told])
            yield from zip(places, (outlook for _, outlook in told), strict=True)


def surveyed_files(paths: Iterable[Path]) -> list[Path]:
    """Files to look at: those named, and in folders all that begin as another suite's do, or should by their names."""
    found: set[Path] = set()
    for path in paths:
        found.update(filter(_is_listed, files_below(path)) if path.is_dir() else [path])
    return sorted(found)


def _is_listed(path: Path) -> bool:
    return path.suffix in SUFFIXES and (suite_of(path) or broken_of(path)) in _SUITES


def survey(files: Iterable[Path], limits: Limits | None = None) -> Survey:
    """Look at every case of the files; one that was named and is no suite's is read as its ending says."""
    limits = Limits(ELEMENT_CAP) if limits is None else limits
    found: dict[Path, Outlooks] = {}
    problems: list[Problem] = []
    surveyed = Surveyed(limits)
    files, copies = without_copies(list(files))
    with collected_later():
        for path in files:
            try:
                found[path] = surveyed.outlooks_of(path, partial(_outlooks, path, limits))
            except InvalidData as error:
                problems.extend(error.problems)
    problems.extend(shared_ids(one for one in all_cards(sharing_a_name(files)) if not isinstance(one, Problem)))
    surveyed.keep()
    return Survey(found, tuple(problems), len(files), notes_of(copies))


def _outlooks(path: Path, limits: Limits) -> Outlooks:
    return _SUITES[reader_of(path)].outlooks(path, limits)
