"""The C and C++ compilers: found once, run with one clear error when something is missing."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.errors import ConformanceError

FLAGS = ("-O1", "-fPIC", "-fvisibility=hidden", "-pthread", "-Wall", "-Wextra", "-Wno-missing-field-initializers")
LINK_FLAGS = ("-shared", "-pthread", "-Wl,-rpath,$ORIGIN", "-Wl,--no-undefined")


class BuildFailed(ConformanceError):
    """The simulated CANN cannot be built here: a compiler or Python's development files are missing, or refuse."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A C and a C++ compiler; ``extra`` flags go into every compilation and link."""

    cc: str
    cxx: str
    extra: tuple[str, ...] = ()

    def compile(self, source: Path, target: Path, includes: Sequence[Path]) -> None:
        """One object file; raises BuildFailed with what the compiler says."""
        standard = "-std=gnu11" if source.suffix == ".c" else "-std=c++17"
        compiler = self.cc if source.suffix == ".c" else self.cxx
        flags = [flag for folder in includes for flag in ("-I", str(folder))]
        _run([compiler, standard, *FLAGS, *self.extra, *flags, "-c", str(source), "-o", str(target)])

    def link(self, objects: Sequence[Path], target: Path, libraries: Sequence[str]) -> None:
        """One shared library with its file name as soname; raises BuildFailed."""
        name = f"-Wl,-soname,{target.name}"
        _run([self.cxx, *LINK_FLAGS, name, *self.extra, *map(str, objects), "-o", str(target), *libraries])


def find_toolchain(extra: Sequence[str] = ()) -> Toolchain:
    """Compilers of CC and CXX, else gcc and g++; raises BuildFailed when there are none."""
    found = [os.environ.get(variable) or name for variable, name in (("CC", "gcc"), ("CXX", "g++"))]
    missing = [name for name in found if shutil.which(name) is None]
    if missing:
        raise BuildFailed(
            f"the simulated CANN is compiled here and {' and '.join(missing)} cannot be found: "
            "install a C++ compiler (Debian: apt install g++) or set CC and CXX"
        )
    return Toolchain(found[0], found[1], tuple(extra))


def python_flags() -> tuple[Path, list[str]]:
    """Include folder and link flags of the running Python; raises BuildFailed when it cannot be embedded."""
    include = Path(sysconfig.get_path("include"))
    folder, name = (sysconfig.get_config_var(key) for key in ("LIBDIR", "LDVERSION"))
    if not (include / "Python.h").is_file():
        raise BuildFailed(f"{include}/Python.h is missing: install Python's development files (Debian: python3-dev)")
    library = next(
        (f for place in _library_folders(folder) for f in [place / f"libpython{name}.so"] if f.exists()), None
    )
    if library is None:
        raise BuildFailed(
            f"no libpython{name}.so in {folder}: this Python cannot be embedded (built without --enable-shared)"
        )
    return include, [f"-L{library.parent}", f"-lpython{name}", f"-Wl,-rpath,{library.parent}"]


def digest_of(*parts: str | bytes) -> str:
    """SHA-256 over all parts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\0")
    return digest.hexdigest()


def _library_folders(folder: str) -> list[Path]:
    multiarch = sysconfig.get_config_var("MULTIARCH")
    return [Path(folder), *([Path("/usr/lib") / multiarch] if multiarch else [])]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailed(f"{' '.join(command)}\n{done.stderr.strip()}")
