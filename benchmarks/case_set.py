"""A case set as large as asked for: the suite's own files, over again under other names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from conformance.caches import CACHE_VARIABLE
from conformance.data import CONTRACT_FILE, find_case_files
from conformance.index import Index


def make_case_set(root: Path, cases: int) -> Path:
    """A folder of at least so many cases; a file's name is part of the ids of its cases, so all of them differ."""
    index, made = Index(), 0
    for number in count():
        for path in find_case_files():
            folder = root / path.parent.parent.name / path.parent.name
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(path.parent / CONTRACT_FILE, folder)
            shutil.copy(path, folder / f"{path.stem}_{number}.json")
            made += len(index.cards_of(path))
            if made >= cases:
                return root
    raise AssertionError


def own_cache(folder: Path) -> Mapping[str, str]:
    """Environment of commands whose caches lie in a folder, so that a benchmark neither uses nor leaves any."""
    return {**os.environ, CACHE_VARIABLE: str(folder / "cache")}
