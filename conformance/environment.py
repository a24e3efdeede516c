"""Facts of a run that its record carries: suite version, digests of the data, host and library versions."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator
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
    return digest_of_files(folder, (name for name in _files(folder, ".json") if not name.startswith("required/")))


def source_digest(packages: Iterable[str] = ("conformance", "runners", "reports")) -> str:
    """SHA-256 over path and content of every module of the suite's packages, or of a part such as one runner."""
    root = Path(__file__).resolve().parent.parent
    names = (f"{package}/{name}" for package in packages for name in _files(root / package, ".py"))
    return digest_of_files(root, names)


def _files(folder: Path, ending: str) -> Iterator[str]:
    """Paths of files below a folder, from there on; looking for them with ``Path.rglob`` takes longer than reading."""
    for at, _, names in os.walk(folder):
        inner = os.path.relpath(at, folder).replace(os.sep, "/")
        yield from (name if inner == "." else f"{inner}/{name}" for name in names if name.endswith(ending))


def digest_of_files(folder: Path, names: Iterable[str]) -> str:
    """SHA-256 over names, which are paths from the folder on, and contents of files, in the order of names."""
    digest = hashlib.sha256()
    for name in sorted(names, key=lambda name: name.split("/")):
        digest.update(name.encode() + b"\0")
        digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()
