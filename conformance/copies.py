"""Other suites' files that lie in several folders: copies give the very same cases, and are read once.

Files of one name and content are copies where all else that their cases come from is the same too: the scripts beside
them, data that lies in files of its own, scripts above.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from conformance.errors import InvalidData
from conformance.foreign.build import subject_of
from conformance.foreign.file_options import PLAIN, FileOptions
from conformance.foreign.heads import ATK, suite_of
from conformance.foreign_files import cases_and_problems


def without_copies(paths: Sequence[Path], how: FileOptions = PLAIN) -> tuple[list[Path], dict[Path, Path]]:
    """The files less those that are copies of an earlier one, and the copies with what each is a copy of."""
    first: dict[Hashable, Path] = {}
    copies: dict[Path, Path] = {}
    for path in sharing_a_name(paths):
        original = first.setdefault(_origin(path, how), path)
        if original != path:
            copies[path] = original
    return [path for path in paths if path not in copies], copies


def sharing_a_name(paths: Iterable[Path]) -> list[Path]:
    """Those whose name is another's word in ids too: only they can have ids in common."""
    found = list(dict.fromkeys(paths))
    words = {path: subject_of(path) for path in found}
    times = Counter(words.values())
    return [path for path in found if times[words[path]] > 1]


def notes_of(copies: dict[Path, Path]) -> tuple[str, ...]:
    """What is said of copies."""
    return tuple(f"{path} is a copy of {original}, whose cases count once" for path, original in copies.items())


def _origin(path: Path, how: FileOptions) -> Hashable:
    """What is the same of copies alone; of a file that cannot be read its path."""
    with suppress(OSError, InvalidData):
        content = hashlib.sha256(path.read_bytes()).digest()
        # What becomes of ATK's cases follows from content and scripts alone.
        made = () if suite_of(path) == ATK else cases_and_problems(path, how)[0]
        elsewhere = tuple((case.unsupported, repr(case.data)) for case in made)
        return path.name, content, scripts_digest(path.parent), elsewhere
    return path


@cache
def scripts_digest(folder: Path) -> bytes:
    """Digest of the scripts of a folder, names and contents."""
    digest = hashlib.sha256()
    for script in sorted(folder.glob("*.py")):
        digest.update(script.name.encode("utf-8", "surrogateescape") + b"\0")
        with suppress(OSError):
            digest.update(hashlib.sha256(script.read_bytes()).digest())
    return digest.digest()
