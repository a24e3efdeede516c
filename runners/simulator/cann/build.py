"""Builds the tree of a simulated CANN: headers, libraries, ``set_env.sh`` and version files.

``lib64`` holds ``libacl_rt.so`` (``libascendcl.so`` is the same file), ``libnnopbase.so``, ``libopapi_nn.so``
(``libopapi.so`` is the same file), ``libopapi_math.so`` and ``libaclnn_simulator.so``, which carries Python. A library
whose sources, headers and flags are unchanged is not built again.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from conformance.load import load_contracts
from runners.simulator.cann.embedding import bridge_source
from runners.simulator.cann.signatures import Signature, read_signatures
from runners.simulator.cann.sources import (
    PACKAGES,
    VERSION,
    chips,
    level_2_header,
    operator_headers,
    set_env,
    status_header,
    stubs,
)
from runners.simulator.cann.toolchain import Toolchain, digest_of, find_toolchain, python_flags

HERE = Path(__file__).parent
SOURCE = HERE / "source"
INTERMEDIATE = ".build"
STUBS_A_UNIT = 130
ALIASES = {"libascendcl.so": "libacl_rt.so", "libopapi.so": "libopapi_nn.so"}


@dataclass(frozen=True, slots=True)
class Library:
    """One shared library: its sources, the libraries it needs, and include folders and link flags of its own."""

    name: str
    sources: tuple[Path, ...]
    needs: tuple[str, ...] = ()
    includes: tuple[Path, ...] = ()
    link_flags: tuple[str, ...] = field(default=())


def build(root: Path, extra_flags: Sequence[str] = ()) -> list[str]:
    """Tree at ``root``; names of the libraries built anew. Raises BuildFailed.

    ``extra_flags`` go into every compilation, for instance ``-fsanitize=address``.
    """
    toolchain = find_toolchain(extra_flags)
    signatures = read_signatures(load_contracts())
    _write_tree(root, signatures)
    libraries = _libraries(root / INTERMEDIATE, signatures)
    (root / "lib64").mkdir(exist_ok=True)
    built = [library.name for library in libraries if _build_library(root, library, toolchain)]
    for alias, target in ALIASES.items():
        _link_alias(root / "lib64" / alias, target)
    return built


def _write_tree(root: Path, signatures: Sequence[Signature]) -> None:
    shutil.copytree(HERE / "include", root / "include", dirs_exist_ok=True)
    operators = root / "include" / "aclnnop"
    for name, text in operator_headers(signatures).items():
        _write(operators / name, text)
        _write(operators / "level2" / name, level_2_header(name))
    _write(root / "include" / "aclnn" / "opdev" / "op_errno.h", status_header())
    _write(root / "set_env.sh", set_env(str(root)))
    for package in PACKAGES:
        _write(root / "share" / "info" / package / "version.info", f"Version={VERSION}\n")
    (root / "opp" / "vendors").mkdir(parents=True, exist_ok=True)


def _libraries(work: Path, signatures: Sequence[Signature]) -> list[Library]:
    """Libraries in order of need; generated sources are written to ``work``."""
    python_include, python_link = python_flags()
    _write(work / "chips.h", chips())
    _write(work / "bridge.c", bridge_source())
    _write(work / "math.cpp", stubs(()))
    units = []
    for number, start in enumerate(range(0, len(signatures), STUBS_A_UNIT)):
        units.append(_write(work / f"stubs_{number}.cpp", stubs(signatures[start : start + STUBS_A_UNIT])))
    return [
        Library("libacl_rt.so", _in("acl_rt"), includes=(work, SOURCE / "acl_rt")),
        Library("libaclnn_simulator.so", (work / "bridge.c",), (), (python_include,), tuple(python_link)),
        Library("libnnopbase.so", _in("nnopbase"), ("acl_rt",), (SOURCE / "nnopbase",), ("-ldl",)),
        Library("libopapi_math.so", (work / "math.cpp",), ("nnopbase", "acl_rt")),
        Library("libopapi_nn.so", tuple(units), ("opapi_math", "nnopbase", "acl_rt")),
    ]


def _build_library(root: Path, library: Library, toolchain: Toolchain) -> bool:
    target, stamp = root / "lib64" / library.name, root / INTERMEDIATE / f"{library.name}.digest"
    digest = _digest(root, library, toolchain)
    if target.is_file() and stamp.is_file() and stamp.read_text() == digest:
        return False
    includes = (root / "include", SOURCE, *library.includes)
    objects = [root / INTERMEDIATE / f"{library.name}.{source.stem}.o" for source in library.sources]
    with ThreadPoolExecutor() as pool:
        for done in [
            pool.submit(toolchain.compile, *pair, includes) for pair in zip(library.sources, objects, strict=True)
        ]:
            done.result()
    # --no-as-needed: a library is needed for the symbols it passes on, not only for those used here.
    needed = [f"-L{root / 'lib64'}", "-Wl,--no-as-needed", *(f"-l{name}" for name in library.needs)]
    toolchain.link(objects, target, [*needed, *library.link_flags])
    stamp.write_text(digest)
    return True


def _digest(root: Path, library: Library, toolchain: Toolchain) -> str:
    """Over the sources, every header and the flags."""
    headers = sorted(f for folder in (root / "include", SOURCE, root / INTERMEDIATE) for f in folder.rglob("*.h"))
    contents = [file.read_bytes() for file in (*library.sources, *headers)]
    return digest_of(repr(toolchain), repr(library.needs), repr(library.link_flags), *contents)


def _in(folder: str) -> tuple[Path, ...]:
    return tuple(sorted((SOURCE / folder).glob("*.cpp")))


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def _link_alias(alias: Path, target: str) -> None:
    """A symbolic link: the loader knows both names as one library, with one state."""
    if alias.is_symlink() and alias.readlink() == Path(target):
        return
    alias.unlink(missing_ok=True)
    alias.symlink_to(target)
