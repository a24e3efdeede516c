"""The command ``repro``: one case as a standalone program. Parsing only; the work is imported when it is asked for."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.options import DEFAULT_PRODUCT, DEFAULT_STANDARD, Options

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_command(subparsers: _Subparsers) -> None:
    """Add ``repro`` to the command line."""
    repro = subparsers.add_parser("repro", help="write a standalone program that makes one case's call")
    repro.add_argument("case", help="id, or a prefix that picks one case")
    repro.add_argument("--form", choices=("cpp", "ctypes"), default="cpp", help="C++ or Python source (%(default)s)")
    repro.add_argument("-o", "--output", type=Path, help="file to write (build/repro/ID by default)")
    repro.add_argument(
        "--paths", action="append", type=Path, metavar="PATH", help="case file or folder (all by default)"
    )
    repro.add_argument("--product", default=DEFAULT_PRODUCT, help="product to call as (%(default)s)")
    repro.add_argument("--standard", default=DEFAULT_STANDARD, help="rule for numbers (%(default)s)")
    repro.add_argument("--seed", type=int, default=0, help="changes all random data (%(default)s)")
    repro.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    # Deferred for the sake of every other command's start.
    from runners.repro.write import write_repro

    options = Options(product=given.product, standard=given.standard, seed=given.seed)
    for path in write_repro(given.paths, given.case, options, given.form, given.output):
        print(f"wrote {path}")
    return 0
