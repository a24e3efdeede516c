"""All cases of some paths, expanded: what list, lint, show and both doors start from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from conformance.case import Case, CaseFile
from conformance.errors import InvalidData, Problem
from conformance.expand import expand
from conformance.load import load_case_files


@dataclass(frozen=True, slots=True)
class Corpus:
    """Valid files, the cases they give, and the problems of whatever is invalid."""

    files: tuple[CaseFile, ...]
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]


def load_corpus(paths: Iterable[Path] | None = None) -> Corpus:
    """Every case under ``paths`` (all of the suite's by default); never raises for bad data."""
    loaded = load_case_files(paths)
    cases: list[Case] = []
    problems = list(loaded.problems)
    for file in loaded.files:
        try:
            cases.extend(expand(file))
        except InvalidData as error:
            problems.extend(error.problems)
    return Corpus(loaded.files, tuple(cases), tuple(problems))
