"""The dynamic loader, called directly.

ctypes' own loading resolves every symbol at once, which CANN's libraries with optional dependencies do not survive.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path


class _DlInfo(ctypes.Structure):
    _fields_ = (
        ("dli_fname", ctypes.c_char_p),
        ("dli_fbase", ctypes.c_void_p),
        ("dli_sname", ctypes.c_char_p),
        ("dli_saddr", ctypes.c_void_p),
    )


_libc = ctypes.CDLL(None)
_libc.dlopen.restype = ctypes.c_void_p
_libc.dlopen.argtypes = [ctypes.c_char_p, ctypes.c_int]
_libc.dlsym.restype = ctypes.c_void_p
_libc.dlsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_libc.dlerror.restype = ctypes.c_char_p
_libc.dlerror.argtypes = []
_libc.dladdr.restype = ctypes.c_int
_libc.dladdr.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


class CannotOpen(OSError):
    """A library that the loader refuses; the text is the loader's."""


@dataclass(frozen=True, slots=True)
class Library:
    """An open library: the name or path it was opened by, and the loader's handle. It is never closed."""

    name: str
    handle: int

    def address(self, symbol: str) -> int | None:
        """Address of a symbol in this library or in what it depends on; None when neither has it."""
        found: int | None = _libc.dlsym(self.handle, symbol.encode())
        return found


def open_library(name: str, *, shared: bool) -> Library:
    """Open by path, or by bare name along the loader's path; raises CannotOpen.

    ``shared`` lets libraries opened later resolve their symbols here.
    """
    mode = os.RTLD_LAZY | (os.RTLD_GLOBAL if shared else os.RTLD_LOCAL)
    handle = _libc.dlopen(os.fsencode(name), mode)
    if not handle:
        raise CannotOpen((_libc.dlerror() or b"unknown error").decode(errors="replace"))
    return Library(name, handle)


def origin(address: int) -> str:
    """Path of the binary that an address belongs to; ``unknown`` when the loader does not know it."""
    info = _DlInfo()
    if not _libc.dladdr(address, ctypes.byref(info)) or info.dli_fname is None:
        return "unknown"
    return os.fsdecode(info.dli_fname)


def loaded_binaries() -> list[str]:
    """Paths of all shared objects mapped into this process."""
    with Path("/proc/self/maps").open(encoding="utf-8", errors="replace") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if line.count("/")}
    return sorted(path for path in paths if ".so" in path)
