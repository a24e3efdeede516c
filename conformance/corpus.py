"""All cases of some paths, expanded: what lint, coverage and whoever compares whole case sets start from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.card import Listed
from conformance.case import Case, CaseFile
from conformance.case_id import may_match
from conformance.copies import without_copies
from conformance.data import find_case_files
from conformance.errors import InvalidData, Location, Problem
from conformance.expand import expand
from conformance.foreign.file_options import PLAIN, FileOptions
from conformance.foreign.heads import is_foreign
from conformance.foreign_files import all_cases, find_foreign_files
from conformance.load import load_case_files


@dataclass(frozen=True, slots=True)
class Corpus:
    """Valid files, the cases they give, and the problems of whatever is invalid."""

    files: tuple[CaseFile, ...]
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]


def load_corpus(paths: Iterable[Path] | None = None, selectors: Iterable[str] = (), how: FileOptions = PLAIN) -> Corpus:
    """Every case under ``paths`` (all of the suite's by default); never raises for bad data.

    Of the suite's own files only those are read that may hold what some selector picks; all where none may. Other
    suites' files may be among the paths.
    """
    wanted = list(selectors)
    chosen = files_for(wanted) if paths is None else list(paths)
    foreign = find_foreign_files(chosen, wanted) if paths is not None and chosen else []
    loaded = load_case_files(chosen if chosen is None else [path for path in chosen if not is_foreign(path)])
    cases: list[Case] = []
    problems = list(loaded.problems)
    for file in loaded.files:
        try:
            cases.extend(expand(file))
        except InvalidData as error:
            problems.extend(error.problems)
    for one in all_cases(without_copies(foreign, how)[0], how):
        if isinstance(one, Case):
            cases.append(one)
        else:
            problems.append(one)
    problems.extend(shared_ids(cases))
    return Corpus(loaded.files, tuple(cases), tuple(problems))


def files_for(selectors: Sequence[str]) -> list[Path] | None:
    """Case files whose place says that their ids may match; None for all, where some selector picks none of them."""
    files = {path: _prefix(path) for path in find_case_files()}
    chosen = {s: [path for path, prefix in files.items() if may_match(s, prefix)] for s in selectors}
    wanted = {path for found in chosen.values() for path in found}
    return [path for path in files if path in wanted] if chosen and all(chosen.values()) else None


def _prefix(path: Path) -> str:
    """What ids of one of the suite's files begin with: family and API name their folders."""
    return f"{path.parent.parent.name}.{path.parent.name}.{path.stem}"


def shared_ids(cases: Iterable[Listed]) -> Iterator[Problem]:
    """Ids that two files give: files of one name for one API in two folders."""
    first: dict[str, Listed] = {}
    for case in cases:
        other = first.setdefault(case.id, case)
        if other.path != case.path:
            advice = "rename the file or the group"
            yield Problem(Location(case.path), f"duplicate id {case.id}, also in {other.path}", advice)
