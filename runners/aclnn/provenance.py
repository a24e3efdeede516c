"""What a record says of an installation: which files answered, their digests, versions and driver."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from runners.aclnn.functions import Functions
from runners.aclnn.library import Installation

_RUNTIME = "runtime"
"""Package whose version is that of CANN as a whole, also for CANN's own queries."""
DRIVER_RECORD = Path("/etc/ascend_install.info")
"""Where a driver's installer writes its path."""


def library_facts(functions: Functions, apis: Sequence[str]) -> dict[str, str]:
    """``library PATH`` → SHA-256, and ``symbols of PATH`` → what that binary provides, for each binary in use."""
    facts = {}
    for path, symbols in sorted(functions.origins(apis).items()):
        facts[f"library {path}"] = f"sha256 {_sha256(Path(path))}"
        facts[f"symbols of {path}"] = " ".join(sorted(symbols))
    return facts


def version_facts(installation: Installation) -> dict[str, str]:
    """``version of PACKAGE`` → version, for each package that the installation lists; ``cann`` is the runtime's."""
    root = installation.place.root
    files = sorted(root.glob("share/info/*/version.info")) if root is not None else []
    versions = {file.parent.name: _entry(file, "Version") for file in files}
    cann = {"cann": versions[_RUNTIME]} if versions.get(_RUNTIME) else {}
    return {**cann, **{f"version of {package}": version for package, version in versions.items()}}


def driver_facts(record: Path = DRIVER_RECORD) -> dict[str, str]:
    """The driver's version; nothing where no driver is installed."""
    folder = _entry(record, "Driver_Install_Path_Param")
    version = _entry(Path(folder) / "driver" / "version.info", "Version") if folder else ""
    return {"driver": version} if version else {}


def _entry(path: Path, key: str) -> str:
    """Value of a ``key=value`` line; empty when there is no such file or line."""
    return next((value for name, value in _entries(path) if name == key), "")


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        name, _, value = line.partition("=")
        yield name.strip(), value.strip().strip('"')


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError as error:
        return f"unknown: {error.strerror}"
    return digest.hexdigest()
