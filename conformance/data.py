"""Where the case data lies, the checkout's ``cases/`` or the copy that the wheel carries, and its files by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from conformance.errors import InvalidOption
from conformance.foreign.heads import begins_as_cases

CONTRACT_FILE, PROMOTION_FILE = "contract.json", "promotion.json"
FOLDER = "templates"
"""Folder of the case templates."""
_NOT_CASES = frozenset({CONTRACT_FILE, "sets.json", "standards.json", PROMOTION_FILE})
_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """Folder that holds ``schemas/``, ``standards.json`` and the case files."""
    checkout = _PACKAGE.parent / "cases"
    return checkout if (checkout / "schemas").is_dir() else _PACKAGE / "_data" / "cases"


def files_below(folder: Path) -> Iterator[Path]:
    """Files in a folder and in those below it.

    Raises InvalidOption where one may not be looked into: cases must not be missing unseen.
    """
    for home, _, names in os.walk(folder, onerror=_cannot_be_read):
        yield from (Path(home, name) for name in names)


def _cannot_be_read(error: OSError) -> None:
    raise InvalidOption(f"{error.filename}: cannot be read: {error.strerror} (check the folder's rights)")


def find_case_files(paths: Iterable[Path] | None = None) -> list[Path]:
    """Case files under the given files and folders (all of the suite's by default), sorted; contracts left out."""
    found: set[Path] = set()
    for path in paths if paths is not None else [data_root()]:
        if path.is_dir():
            found.update(filter(is_case_file, files_below(path)))
        else:
            found.add(path)
    return sorted(found)


def is_case_file(path: Path) -> bool:
    """Whether a JSON file holds cases: a contract lies beside it, or it begins with the schema of case files."""
    if path.name in _NOT_CASES or path.suffix != ".json":
        return False
    return (path.parent / CONTRACT_FILE).is_file() or begins_as_cases(path)


def find_templates(root: Path | None = None) -> list[Path]:
    """Files of the case templates under ``root`` (the suite's by default), sorted."""
    return sorted(((root or data_root()) / FOLDER).glob("*.json"))


def root_of(path: Path) -> Path:
    """Folder of data whose templates a case file uses: the nearest above it that has some, else the suite's."""
    above = (folder for folder in path.resolve().parents if (folder / FOLDER).is_dir())
    return next(above, data_root())
