"""Case files of other suites, whichever it is: found, told apart by how they begin, and read.

A suite is a line of ``_SUITES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.atk.cases import atk_cases
from conformance.atk.read import apis_named
from conformance.case import Case
from conformance.case_id import may_match
from conformance.data import files_below
from conformance.errors import InvalidData, Problem
from conformance.foreign.build import Unbuilt, word_of
from conformance.foreign.file_options import PLAIN, FileOptions
from conformance.foreign.heads import ATK, MSOPST, TTK, broken_of, is_foreign, lies_in_folder, reader_of, suite_of
from conformance.msopst.cases import msopst_cases
from conformance.ttk.cases import ttk_cases

Found = tuple[list[Unbuilt], list[Problem]]


@dataclass(frozen=True, slots=True)
class Suite:
    """How files of one suite are read: the APIs that some case may have (None for any), their cases."""

    apis: Callable[[Path], list[str] | None]
    cases: Callable[[Path, FileOptions], Found]


_SUITES = {
    ATK: Suite(apis_named, atk_cases),
    MSOPST: Suite(lambda path: None, lambda path, _: msopst_cases(path)),
    TTK: Suite(lambda path: None, lambda path, _: ttk_cases(path)),
}


def find_foreign_files(paths: Iterable[Path], selectors: Sequence[str] = ()) -> list[Path]:
    """Other suites' files among paths and in folders, sorted; less those that hold nothing a selector may pick."""
    found: set[Path] = set()
    for path in paths:
        named = filter(lies_in_folder, files_below(path)) if path.is_dir() else filter(is_foreign, [path])
        found.update(one for one in named if _may_hold(one, selectors))
    return sorted(found)


def chosen_foreign_files(paths: Sequence[Path], selectors: Sequence[str], *, alone: bool) -> list[Path]:
    """Those that selectors may pick from; all where they may from none and there are no other files (``alone``)."""
    return find_foreign_files(paths, selectors) or (find_foreign_files(paths) if alone else [])


def _may_hold(path: Path, selectors: Sequence[str]) -> bool:
    """Whether some selector may pick a case of a file; False only where its API is another whatever the name says."""
    word = suite_of(path) or broken_of(path)
    if not selectors or word not in _SUITES:
        return True  # a file of no suite was named, and reading it says what it lacks
    if not any(may_match(selector, word) for selector in selectors):
        return False
    return any(may_match(selector, prefix) for prefix in _prefixes(word, path) for selector in selectors)


def _prefixes(word: str, path: Path) -> list[str]:
    apis = _SUITES[word].apis(path)
    return [word] if apis is None else [f"{word}.{word_of(api)}" for api in apis]


def unbuilt_and_problems(path: Path, how: FileOptions = PLAIN) -> Found:
    """Cases of a file, and the problems of those that cannot be read; raises InvalidData where none can."""
    return _SUITES[reader_of(path)].cases(path, how)


def cases_and_problems(path: Path, how: FileOptions = PLAIN) -> tuple[list[Case], list[Problem]]:
    """The same, with the cases made."""
    unbuilt, problems = unbuilt_and_problems(path, how)
    return [one.build() for one in unbuilt], problems


def cases_or_problem(path: Path, how: FileOptions = PLAIN) -> list[Case]:
    """Every case of a file; raises InvalidData when one cannot be read."""
    cases, problems = cases_and_problems(path, how)
    if problems:
        raise InvalidData(problems)
    return cases


def all_cases(paths: list[Path], how: FileOptions = PLAIN) -> Iterator[Case | Problem]:
    """Cases and problems of many files, one file at a time."""
    for path in paths:
        try:
            cases, problems = cases_and_problems(path, how)
            yield from cases
            yield from problems
        except InvalidData as error:
            yield from error.problems
