"""Every cache on the disk: what is kept between runs because it can be computed again. A cache is a line of ``CACHES``.

Its owner takes the place from here. Anything may be deleted at any time, while runs use it too: whoever misses
something makes it anew, and where a cache cannot be written it is done without.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from conformance.errors import InvalidOption

CACHE_VARIABLE = "CONFORMANCE_CACHE"
"""Environment variable that names the folder of all caches; by default ``aclnn-conformance`` in the user's cache."""
GOLDENS_VARIABLE = "CONFORMANCE_GOLDEN_CACHE"
"""Environment variable that names another folder for goldens, or is ``off``."""
OFF = "off"


class Form(Enum):
    """How a cache lies on the disk."""

    FOLDER = "a folder with a file for each entry"
    FOLDERS = "a folder with a folder for each entry"
    LINES = "a file with a line for each entry"
    DOCUMENT = "a file that is one entry"
    STORE = "an SQLite file"


@dataclass(frozen=True, slots=True)
class Cache:
    """One cache: its file or folder, whose name ends in the version of what stands in it, and what it keeps."""

    file: str
    form: Form
    what: str

    @property
    def name(self) -> str:
        """The word that it is called by."""
        return self.file.partition("-")[0]

    @property
    def path(self) -> Path:
        """Where it lies in the folder of all caches."""
        return cache_folder() / self.file


VALID = Cache("valid-1", Form.LINES, "documents that kept their schema")
INDEX = Cache("index-1", Form.FOLDER, "cards of the cases of each file")
FOREIGN = Cache("foreign-1", Form.FOLDER, "cards of the cases of other suites' files")
SURVEYED = Cache("surveyed-1.json", Form.DOCUMENT, "what surveyed files came to")
JUDGED = Cache("judged-1.json", Form.DOCUMENT, "what recheck needs of all cases")
COMPILED = Cache("compiled-1", Form.FOLDERS, "loops compiled for large outputs, by version of their sources")
GOLDENS = Cache("goldens-1.sqlite", Form.STORE, "what the reference answered, what outputs measured")
CACHES = {cache.name: cache for cache in (VALID, INDEX, FOREIGN, SURVEYED, JUDGED, COMPILED, GOLDENS)}


def cache_folder() -> Path:
    """Folder of all caches; it need not exist. Raises InvalidOption where the variable names something else."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        if not os.path.isdir(named) and os.path.lexists(named):  # noqa: PTH112 - asked for each file of a run
            raise InvalidOption(f"{CACHE_VARIABLE} is {named!r}, which is no folder; name one, or unset it")
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else _home() / ".cache") / "aclnn-conformance"


def goldens_file(folder: str = "") -> Path | None:
    """File of goldens: in that folder, by default the variable's, else with all caches; None where they are off."""
    folder = folder or os.environ.get(GOLDENS_VARIABLE, "")
    if folder == OFF:
        return None
    return Path(folder) / GOLDENS.file if folder else GOLDENS.path


@cache
def note_use(path: Path) -> None:
    """Let the time of a cache say when it was last of use: when a process first used it, for each time takes time."""
    with suppress(OSError):
        os.utime(path)


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # of a user without one nothing can be kept
        return Path(os.devnull)
