"""Finds and opens the libraries of one CANN installation.

An explicit path is searched alone, so that nothing of another installation gets in. Otherwise the environment decides:
custom operators from ``ASCEND_CUSTOM_OPP_PATH``, then from the vendors of ``ASCEND_OPP_PATH`` in their load order; the
installation itself from ``ASCEND_HOME_PATH``, ``ASCEND_TOOLKIT_HOME``, or along the loader's path. Operators come from
the libraries split by subject where there are any, else from the old single library; never from both.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.errors import ConformanceError
from runners.aclnn.loader import CannotOpen, Library, loaded_binaries, open_library

RUNTIME = ("libacl_rt.so", "libascendcl.so")
"""The runtime under its new name, and under the one that it has everywhere."""
BASE = ("libnnopbase.so",)
SPLIT = tuple(f"libopapi_{subject}.so" for subject in ("math", "nn", "cv", "transformer", "oam", "legacy"))
UNSPLIT = "libopapi.so"
CUSTOM = "op_api/lib/libcust_opapi.so"
_ADVICE = "source the set_env.sh of a CANN installation, or name one with --cann PATH"


class NoLibrary(ConformanceError):
    """An installation that is missing, incomplete or mixed up; the text lists what was searched."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an installation's libraries are; ``folder`` None means along the loader's path."""

    folder: Path | None
    custom: tuple[Path, ...] = ()
    searched: tuple[str, ...] = ()

    @property
    def root(self) -> Path | None:
        """The installation's own folder, which holds ``share/info``."""
        return self.folder.parent if self.folder is not None and self.folder.name == "lib64" else self.folder

    def candidates(self, names: tuple[str, ...]) -> list[str]:
        """Names to open, in order: files that exist in the folder, or bare names."""
        if self.folder is None:
            return list(names)
        return [str(self.folder / name) for name in names if (self.folder / name).is_file()]


@dataclass(frozen=True, slots=True)
class Installation:
    """Open libraries: runtime, aclnn base, and those with operators in lookup order. ``failures`` did not open."""

    place: Place
    runtime: Library
    base: Library
    operators: tuple[Library, ...]
    failures: tuple[str, ...] = ()

    def function(self, symbol: str) -> int | None:
        """Address of a function of the runtime or the aclnn base; None when the version lacks it."""
        return self.runtime.address(symbol) or self.base.address(symbol)

    def operator(self, symbol: str) -> int | None:
        """Address of an operator's function in the first library that has it."""
        return next((found for library in self.operators if (found := library.address(symbol))), None)

    @property
    def searched(self) -> str:
        """The libraries with operators, and those that did not open, for people."""
        return "; ".join([", ".join(library.name for library in self.operators), *self.failures])


def find_place(cann: str | None, environ: Mapping[str, str]) -> Place:
    """Where the libraries are; raises NoLibrary when an explicit path holds none."""
    if cann is not None:
        return _explicit(Path(cann).resolve())
    custom = _custom(environ)
    searched = []
    for variable in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"):
        if variable not in environ:
            searched.append(f"{variable} (not set)")
            continue
        folder = Path(environ[variable]) / "lib64"
        if (folder / BASE[0]).is_file():
            return Place(folder, custom, (*searched, str(folder)))
        searched.append(f"{folder} (of {variable})")
    return Place(None, custom, (*searched, "the loader's path"))


def open_installation(place: Place) -> Installation:
    """Open everything; raises NoLibrary naming what was searched and why it does not open."""
    runtime = _open_one(place, RUNTIME)
    base = _open_one(place, BASE)
    split, failures = _open_all(place.candidates(_split_names(place)))
    unsplit, more = ([], []) if split else _open_all(_unsplit(place))
    custom, worse = _open_all([str(path) for path in place.custom])
    if not (split or unsplit):
        raise _none(place, "no library with operators", (*SPLIT, UNSPLIT), [*failures, *more])
    _refuse_mixture()
    return Installation(place, runtime, base, (*custom, *split, *unsplit), (*failures, *more, *worse))


def _explicit(path: Path) -> Place:
    folders = [path / "lib64", path]
    for folder in folders:
        if (folder / BASE[0]).is_file():
            vendors = path / "opp" / "vendors"
            return Place(folder, tuple(_vendors(vendors)), tuple(map(str, folders)))
    raise NoLibrary(f"no CANN installation: {BASE[0]} is neither in {folders[0]} nor in {folders[1]}")


def _custom(environ: Mapping[str, str]) -> tuple[Path, ...]:
    paths = [Path(part) / CUSTOM for part in environ.get("ASCEND_CUSTOM_OPP_PATH", "").split(":") if part]
    if "ASCEND_OPP_PATH" in environ:
        paths += _vendors(Path(environ["ASCEND_OPP_PATH"]) / "vendors")
    return tuple(path for path in paths if path.is_file())


def _vendors(folder: Path) -> list[Path]:
    """Custom libraries of the vendors that ``config.ini`` lists, in its order."""
    config = folder / "config.ini"
    if not config.is_file():
        return []
    for line in config.read_text(encoding="utf-8").splitlines():
        key, _, names = line.partition("=")
        if key.strip() == "load_priority":
            paths = [folder / name.strip() / CUSTOM for name in names.split(",") if name.strip()]
            return [path for path in paths if path.is_file()]
    return []


def _split_names(place: Place) -> tuple[str, ...]:
    """Known split libraries first, then whatever else of that kind the folder holds."""
    if place.folder is None:
        return SPLIT
    others = sorted(path.name for path in place.folder.glob("libopapi_*.so"))
    return (*SPLIT, *(name for name in others if name not in SPLIT))


def _unsplit(place: Place) -> list[str]:
    found = place.candidates((UNSPLIT,))
    if not found and place.root is not None:
        built_in = "opp/built-in/op_impl/ai_core/tbe/op_api/lib/linux"
        path = place.root / built_in / platform.machine() / UNSPLIT
        found = [str(path)] if path.is_file() else []
    return found


def _open_one(place: Place, names: tuple[str, ...]) -> Library:
    failures = []
    for name in place.candidates(names):
        try:
            return open_library(name, shared=True)
        except CannotOpen as error:
            failures.append(str(error))
    raise _none(place, f"no {' or '.join(names)}", names, failures)


def _open_all(names: list[str]) -> tuple[list[Library], list[str]]:
    opened, failures = [], []
    for name in names:
        try:
            # Not shared: two libraries may both have an operator, and each must find its own half of it.
            opened.append(open_library(name, shared=False))
        except CannotOpen as error:
            failures.append(str(error))
    return opened, failures


def _none(place: Place, what: str, names: tuple[str, ...], failures: list[str]) -> NoLibrary:
    lines = [f"{what} could be opened", f"  names: {', '.join(names)}", f"  searched: {', '.join(place.searched)}"]
    lines += [f"  failed: {failure}" for failure in failures]
    return NoLibrary("\n".join([*lines, f"  {_ADVICE}"]))


def _refuse_mixture() -> None:
    """A custom library may have pulled in what must not be mixed."""
    names = {path.rpartition("/")[2]: path for path in loaded_binaries()}
    split = [path for name, path in names.items() if name.startswith("libopapi_")]
    if UNSPLIT in names and split:
        raise NoLibrary(f"split and single operator libraries are both loaded: {names[UNSPLIT]} and {split[0]}")
