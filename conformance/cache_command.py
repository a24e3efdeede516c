"""``cache``: what this suite keeps between runs, where, and how much; ``clear`` removes it, ``compile`` adds to it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from conformance.cache_use import Use, clear, use_of
from conformance.caches import CACHES, COMPILED, GOLDENS, OFF, Cache, goldens_file
from conformance.errors import InvalidOption
from conformance.options import GOLDEN_CACHE_HELP
from conformance.printing import print_table

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_NEVER = "·"


def add_command(subparsers: _Subparsers) -> None:
    """Add ``cache`` to the command line."""
    parser = subparsers.add_parser("cache", help="show what is kept between runs, or remove it")
    goldens: Any = {"metavar": "DIR", "help": GOLDEN_CACHE_HELP}
    parser.add_argument("--golden-cache", default="", **goldens)
    parser.set_defaults(handler=lambda given: _show(given.golden_cache))
    what = parser.add_subparsers(metavar="WHAT")
    removing = what.add_parser("clear", help="remove caches; runs that are using them go on")
    removing.add_argument("--golden-cache", default=argparse.SUPPRESS, **goldens)
    removing.add_argument("names", nargs="*", type=_name, metavar="NAME", help=f"{', '.join(CACHES)} (all by default)")
    removing.set_defaults(handler=lambda given: _clear(given.names or list(CACHES), given.golden_cache))
    compiling = what.add_parser("compile", help="compile now what measures large outputs, not in a run that needs it")
    compiling.set_defaults(handler=lambda given: _compile())


def _name(text: str) -> str:
    if text not in CACHES:
        raise argparse.ArgumentTypeError(f"there is no cache {text!r}; there are {', '.join(CACHES)}")
    return text


def _show(folder: str) -> int:
    table = Table(box=None, pad_edge=False)
    for name, numeric in (("cache", 0), ("bytes", 1), ("entries", 1), ("last used", 0), ("where", 0), ("what", 0)):
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for cache, path in _placed(list(CACHES), folder):
        use = Use(0, 0, None) if path is None else use_of(cache, path)
        table.add_row(cache.name, *_words(use), OFF if path is None else str(path), cache.what)
    print_table(table)
    return 0


def _clear(names: Sequence[str], folder: str) -> int:
    for cache, path in _placed(names, folder):
        if path is None:
            print(f"{cache.name}: {OFF}")
            continue
        before = use_of(cache, path).bytes
        clear(cache, path)
        print(f"{cache.name}: {before - use_of(cache, path).bytes} bytes removed from {path}")
    return 0


def _compile() -> int:
    from conformance.float_pass import LOOPS  # showing caches needs no numpy

    if not LOOPS.load(compiling=True):
        raise InvalidOption(
            "nothing can be compiled: numba is not installed or does not work here,"
            f" or {COMPILED.path} cannot be written;"
            " large outputs are measured by numpy, which takes longer and says the same"
        )
    print(f"{COMPILED.name}: {use_of(COMPILED, COMPILED.path).bytes} bytes in {COMPILED.path}")
    return 0


def _placed(names: Sequence[str], folder: str) -> Iterator[tuple[Cache, Path | None]]:
    """Caches and where they lie; goldens that are off lie nowhere."""
    for name in dict.fromkeys(names):
        cache = CACHES[name]
        yield cache, goldens_file(folder) if cache is GOLDENS else cache.path


def _words(use: Use) -> list[str]:
    last = datetime.fromtimestamp(use.last).strftime("%Y-%m-%d %H:%M") if use.last is not None else _NEVER
    return [str(use.bytes), "damaged" if use.entries is None else str(use.entries), last]
