"""Case files of other suites, whichever it is: found, told apart by how they begin, and read.

A suite is a line of ``_SUITES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.atk.cases import atk_cases
from conformance.atk.read import api_of
from conformance.case import Case
from conformance.case_id import may_match
from conformance.errors import InvalidData, Problem
from conformance.foreign.heads import ATK, suite_of
from conformance.signature import snake_name

Found = tuple[list[Case], list[Problem]]


@dataclass(frozen=True, slots=True)
class Suite:
    """How files of one suite are read: names they have in folders, the API that a name alone tells, their cases."""

    patterns: tuple[str, ...]
    api_of_name: Callable[[Path], str]
    cases: Callable[[Path, float], Found]


_SUITES = {ATK: Suite(("*aclnn*.json",), lambda path: api_of({}, path), atk_cases)}


def is_foreign(path: Path) -> bool:
    """Whether a file begins as those of another suite do."""
    return suite_of(path) in _SUITES


def lies_in_folder(path: Path) -> bool:
    """Whether a file that nobody named is another suite's: by its name and how it begins."""
    return any(path.match(pattern) for one in _SUITES.values() for pattern in one.patterns) and is_foreign(path)


def find_foreign_files(paths: Iterable[Path], selectors: Sequence[str] = ()) -> list[Path]:
    """Other suites' files among paths and in folders, sorted; less those whose name no selector may pick."""
    found: set[Path] = set()
    for path in paths:
        named = _named_in(path) if path.is_dir() else [path]
        found.update(one for one in named if one.is_file() and _may_hold(one, selectors))
    return sorted(found)


def _named_in(folder: Path) -> Iterator[Path]:
    for pattern in {pattern for one in _SUITES.values() for pattern in one.patterns}:
        yield from folder.rglob(pattern)


def _may_hold(path: Path, selectors: Sequence[str]) -> bool:
    word = suite_of(path)
    if word not in _SUITES:
        return False
    api = _SUITES[word].api_of_name(path)
    prefix = f"{word}.{snake_name(api)}" if api else word
    return not selectors or any(may_match(selector, prefix) for selector in selectors)


def cases_and_problems(path: Path, slice_ratio: float = 0.0) -> Found:
    """Cases of a file, and the problems of those that cannot be read; raises InvalidData where none can.

    Of ``slice_ratio`` of ATK's cases every tensor lies with gaps.
    """
    return _SUITES[suite_of(path)].cases(path, slice_ratio)


def cases_or_problem(path: Path, slice_ratio: float = 0.0) -> list[Case]:
    """Every case of a file; raises InvalidData when one cannot be read."""
    cases, problems = cases_and_problems(path, slice_ratio)
    if problems:
        raise InvalidData(problems)
    return cases


def all_cases(paths: list[Path], slice_ratio: float = 0.0) -> Iterator[Case | Problem]:
    """Cases and problems of many files, one file at a time."""
    for path in paths:
        try:
            cases, problems = cases_and_problems(path, slice_ratio)
            yield from cases
            yield from problems
        except InvalidData as error:
            yield from error.problems
