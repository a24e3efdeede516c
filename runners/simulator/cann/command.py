"""``conformance cann build DIR``: the command that builds a simulated CANN."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError


class NoCffi(ConformanceError):
    """The package that embeds Python is an extra and is not installed."""


def add_command(subparsers: Any) -> None:
    """Add ``cann`` to the command line."""
    cann = subparsers.add_parser("cann", help="the simulated CANN: libraries that C++ programs link against")
    actions = cann.add_subparsers(metavar="ACTION", required=True)
    build = actions.add_parser("build", help="build its libraries and headers")
    build.add_argument("directory", type=Path, help="folder of the tree, made when missing")
    build.set_defaults(handler=_build)


def _build(given: argparse.Namespace) -> int:
    try:
        # Here and not above: the command line of a suite without the extra "cann" must work.
        from runners.simulator.cann.build import build
    except ModuleNotFoundError as error:
        if error.name != "cffi":
            raise
        raise NoCffi('cffi is not installed: pip install "aclnn-conformance[cann]"') from None
    started = time.monotonic()
    root: Path = given.directory.resolve()
    built = build(root)
    print(f"{root}: {', '.join(built) or 'nothing'} built in {time.monotonic() - started:.1f} s; . {root}/set_env.sh")
    return 0
