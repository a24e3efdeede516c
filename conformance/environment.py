"""Facts of a run that its record carries: suite version, digests of the data, host and library versions."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from conformance import __version__
from conformance.data import data_root

_LIBRARIES = ("numpy", "torch", "ml_dtypes", "jsonschema", "pytest")


def environment() -> dict[str, str]:
    """Host, interpreter and library versions; reading them imports none of the libraries."""
    facts = {
        "suite": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpus": str(os.cpu_count()),
        "host": platform.node(),
        "sources": source_digest(),
    }
    for library in _LIBRARIES:
        try:
            facts[library] = version(library)
        except PackageNotFoundError:
            facts[library] = "absent"
    return facts


def data_digest(root: Path | None = None) -> str:
    """SHA-256 over path and content of every data file, in path order: two equal digests mean equal case sets.

    Lists of required cases are left out: one more of them changes no case.
    """
    folder = root or data_root()
    paths = (path for path in folder.rglob("*.json") if path.relative_to(folder).parts[0] != "required")
    return _digest_of_files(folder, paths)


def source_digest(packages: Iterable[str] = ("conformance", "runners", "reports")) -> str:
    """SHA-256 over path and content of every module of the suite's packages, or of a part such as one runner."""
    root = Path(__file__).resolve().parent.parent
    return _digest_of_files(root, (path for package in packages for path in (root / package).rglob("*.py")))


def _digest_of_files(folder: Path, paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
