"""What of a tree of other suites' files can be run, and why the rest cannot; about as quick as parsing the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from conformance.atk.outlook import atk_outlooks
from conformance.case import ELEMENT_CAP
from conformance.copies import notes_of, sharing_a_name, without_copies
from conformance.corpus import shared_ids
from conformance.errors import InvalidData, Problem
from conformance.foreign.heads import ATK, MSOPST, SUFFIXES, TTK, broken_of, suite_of
from conformance.foreign.outlook import Outlook
from conformance.foreign_cards import all_cards
from conformance.garbage import collected_later
from conformance.msopst.cases import msopst_outlooks
from conformance.select import Limits
from conformance.surveyed import Surveyed
from conformance.ttk.cases import ttk_outlooks

_OUTLOOKS: dict[str, Callable[[Path, Limits], Counter[Outlook]]] = {
    ATK: atk_outlooks,
    MSOPST: msopst_outlooks,
    TTK: ttk_outlooks,
}


@dataclass(frozen=True, slots=True)
class Survey:
    """Counts of files, of cases by outcome, by API and outcome, and by outcome and reason; files that are none."""

    files: int
    outcomes: Counter[str]
    apis: Mapping[str, Counter[str]]
    reasons: Counter[tuple[str, str]]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()

    @property
    def cases(self) -> int:
        """Cases of all files."""
        return self.outcomes.total()


def surveyed_files(paths: Iterable[Path]) -> list[Path]:
    """Files to look at: those named, and in folders all that begin as another suite's do, or should by their names."""
    found: set[Path] = set()
    for path in paths:
        found.update(filter(_is_listed, path.rglob("*")) if path.is_dir() else [path])
    return sorted(found)


def _is_listed(path: Path) -> bool:
    return path.suffix in SUFFIXES and (suite_of(path) or broken_of(path)) in _OUTLOOKS


def survey(files: Iterable[Path], limits: Limits | None = None) -> Survey:
    """Look at every case of the files; one that nobody knows is read as ATK's, which says what it lacks."""
    limits = Limits(ELEMENT_CAP) if limits is None else limits
    apis: dict[str, Counter[str]] = {}
    reasons: Counter[tuple[str, str]] = Counter()
    problems: list[Problem] = []
    count = 0
    surveyed = Surveyed(limits)
    files, copies = without_copies(list(files))
    with collected_later():
        for path in files:
            count += 1
            try:
                found = surveyed.outlooks_of(path, partial(_outlooks, path, limits))
            except InvalidData as error:
                problems.extend(error.problems)
                continue
            for outlook, times in found.items():
                apis.setdefault(outlook.api, Counter())[outlook.outcome] += times
                reasons[outlook.outcome, outlook.why] += times
    problems.extend(shared_ids(one for one in all_cards(sharing_a_name(files)) if not isinstance(one, Problem)))
    surveyed.keep()
    outcomes: Counter[str] = sum(apis.values(), Counter())
    return Survey(count, outcomes, apis, reasons, tuple(problems), notes_of(copies))


def _outlooks(path: Path, limits: Limits) -> Counter[Outlook]:
    return _OUTLOOKS.get(suite_of(path) or broken_of(path), atk_outlooks)(path, limits)
