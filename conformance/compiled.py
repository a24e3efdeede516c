"""Compiles loops with numba, and keeps what was compiled as long as the sources of all of them are the same.

numba alone looks at no more than the file that a function stands in. Functions of other files and numbers from there
are compiled into it, too: what was kept would go on counting by the old ones.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import config, njit

from conformance.caches import COMPILED, note_use
from conformance.environment import digest_of_files

SOURCES = ("compiled", "fused_loops", "fused_numbers", "metrics", "pairwise", "rounding", "sums", "tally")
"""Modules of the loops, and of what is compiled into them."""
_SETTINGS: Any = config
"""numba's; where it keeps things is looked up when a function is to be compiled."""
_OPTIONS: Any = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
"""Loops make no arrays: without counts of references to those they slice, they take a third less time."""
_DIGITS = 16
_MOST_VERSIONS = 8
"""Versions of the sources at which the folder is begun anew."""


def compiled(function: Callable[..., Any]) -> Any:
    """The function, compiled when first called, with numpy's arithmetic; raises OSError where nothing can be kept."""
    usual, _SETTINGS.CACHE_DIR = _SETTINGS.CACHE_DIR, str(_folder(COMPILED.path))
    try:
        return njit(**_OPTIONS)(function)
    finally:
        _SETTINGS.CACHE_DIR = usual


def is_kept() -> bool:
    """Whether something was compiled from the sources as they are now; raises OSError where nothing can be kept."""
    return any(_folder(COMPILED.path).rglob("*.nbi"))


def begin_anew() -> None:
    """Forget what was compiled from the sources as they are now: something in it is damaged."""
    for file in _folder(COMPILED.path).rglob("*.nb[ci]"):
        file.unlink(missing_ok=True)


@cache
def _folder(versions: Path) -> Path:
    """Folder for what is compiled from sources as they are now; it can be written to."""
    folder = versions / _digest_of_sources()
    if not folder.is_dir():
        if versions.is_dir() and sum(1 for _ in versions.iterdir()) >= _MOST_VERSIONS:
            shutil.rmtree(versions, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
    for file in folder.rglob("*"):
        note_use(file)
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def _digest_of_sources() -> str:
    return digest_of_files(Path(__file__).parent, (f"{name}.py" for name in SOURCES))[:_DIGITS]
