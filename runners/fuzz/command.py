"""The commands ``fuzz`` and ``generate``. Parsing only; the work, and the libraries it needs, come when asked for."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.errors import ConformanceError
from conformance.options import (
    DEFAULT_PRODUCT,
    DEFAULT_REFERENCE,
    DEFAULT_RUNNER,
    DEFAULT_STANDARD,
    Options,
    add_runner_options,
    parse_count,
    parse_runner_options,
    parse_seconds,
)
from conformance.product import PRODUCTS

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

DEADLINE = 10.0
"""Seconds a fuzzed call may take by default; they are small."""
SECONDS = 60.0
"""Seconds for all APIs together where no number of calls is given."""


class MissingLibrary(ConformanceError):
    """A command whose library is not installed."""


def add_fuzz(subparsers: _Subparsers) -> None:
    """Add ``fuzz`` to the command line."""
    fuzz = subparsers.add_parser("fuzz", help="make calls from contracts until one is answered wrongly")
    fuzz.add_argument("--api", nargs="*", default=[], metavar="API", help="APIs to fuzz (all by default)")
    fuzz.add_argument("--seconds", type=parse_seconds, help=f"time for all APIs together ({SECONDS:g} without --calls)")
    fuzz.add_argument(
        "--calls", type=parse_count, metavar="N", help="draft N calls of each API: the same ones on every machine"
    )
    fuzz.add_argument("--runner", default=DEFAULT_RUNNER, help="who is judged, as for run (%(default)s)")
    add_runner_options(fuzz)
    fuzz.add_argument("--product", default=DEFAULT_PRODUCT, help="product to call as (%(default)s)")
    fuzz.add_argument("--reference", default=DEFAULT_REFERENCE, help="who supplies goldens (%(default)s)")
    fuzz.add_argument("--standard", default=DEFAULT_STANDARD, help="rule for numbers (%(default)s)")
    fuzz.add_argument("--seed", type=int, default=0, help="changes all calls (%(default)s)")
    fuzz.add_argument("--deadline", type=parse_seconds, default=DEADLINE, help="seconds a call may take (%(default)s)")
    fuzz.add_argument("--isolate", action=argparse.BooleanOptionalAction, help="run in a child process")
    fuzz.add_argument("-o", "--output", type=Path, default=Path("build/fuzz"), help="folder for findings (%(default)s)")
    fuzz.add_argument(
        "--replay", type=Path, metavar="FILE", help="look at the relations of a file's legal calls instead"
    )
    fuzz.set_defaults(handler=_fuzz)


def add_generate(subparsers: _Subparsers) -> None:
    """Add ``generate`` to the command line."""
    generate = subparsers.add_parser("generate", help="propose cases by pairwise combination")
    generate.add_argument("--api", required=True, help="API to propose cases for")
    generate.add_argument(
        "--product",
        choices=sorted(PRODUCTS),
        default=DEFAULT_PRODUCT,
        help="product whose sizes are used (%(default)s)",
    )
    generate.add_argument("--max-elements", type=parse_count, default=1 << 16, help="largest tensor (%(default)s)")
    generate.add_argument("-o", "--output", type=Path, help="file to write (standard output by default)")
    generate.set_defaults(handler=_generate)


def _fuzz(given: argparse.Namespace) -> int:
    _need("hypothesis")
    # Deferred for the sake of every other command's start.
    from runners.fuzz.fuzzing import fuzz_apis, replay

    options = Options(
        runner=given.runner,
        reference=given.reference,
        product=given.product,
        standard=given.standard,
        seed=given.seed,
        isolate=given.isolate,
        runner_options=parse_runner_options(given.runner_options, given.cann, given.devices),
        deadline=given.deadline,
    )
    if given.replay is not None:
        return replay(options, given.replay)
    calls = given.calls or inf
    seconds = given.seconds or (inf if given.calls else SECONDS)
    return fuzz_apis(options, given.api, seconds, calls, given.output)


def _generate(given: argparse.Namespace) -> int:
    _need("covertable")
    from runners.fuzz.proposals import write_proposal

    return write_proposal(given.api, given.product, given.max_elements, given.output)


def _need(library: str) -> None:
    if find_spec(library) is None:
        raise MissingLibrary(f"this command needs {library}: pip install 'aclnn-conformance[fuzz]'")
