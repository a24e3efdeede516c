"""The command ``variants``: conforming implementations over the case set. Parsing only; the work is imported late."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from conformance.options import DEFAULT_STANDARD, parse_jobs
from conformance.product import PRODUCTS

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_command(subparsers: _Subparsers) -> None:
    """Add ``variants`` to the command line."""
    variants = subparsers.add_parser(
        "variants", help="run conforming but different implementations, which must raise no alarm"
    )
    variants.add_argument("select", nargs="*", metavar="SELECTOR", help="cases to run (all by default)")
    variants.add_argument("--variant", action="append", help="only this one; may be given several times")
    variants.add_argument(
        "--product", action="append", choices=sorted(PRODUCTS), help="only this one; may be given several times"
    )
    variants.add_argument("--standard", default=DEFAULT_STANDARD, help="rule for numbers (%(default)s)")
    variants.add_argument("--jobs", type=parse_jobs, default=1, help="processes (%(default)s)")
    variants.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    # Deferred for the sake of every other command's start.
    from runners.variants.show import print_sweep

    products = given.product or list(PRODUCTS)
    return print_sweep(given.variant, products, given.standard, given.select, given.jobs)
