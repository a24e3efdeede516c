"""The command ``faults``: what the suite detects. Parsing only; the work is imported late."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.card import DEFAULT
from conformance.options import parse_jobs
from conformance.product import PRODUCTS
from conformance.tier import TIERS

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_command(subparsers: _Subparsers) -> None:
    """Add ``faults`` to the command line."""
    faults = subparsers.add_parser("faults", help="run a catalogue of faulty implementations, which must be found")
    faults.add_argument("--fault", action="append", default=[], metavar="ID", help="only this one; repeatable")
    faults.add_argument("--class", action="append", default=[], dest="classes", help="only this class; repeatable")
    faults.add_argument("--api", action="append", default=[], metavar="NAME", help="only in this API; repeatable")
    faults.add_argument("--product", action="append", default=[], choices=sorted(PRODUCTS), help="only this one")
    faults.add_argument("--tier", choices=TIERS, default=DEFAULT, help="cases to run (%(default)s)")
    faults.add_argument("--jobs", type=parse_jobs, default=1, help="processes (%(default)s)")
    faults.add_argument("--all-groups", action="store_true", help="go on after a catch: which groups catch what")
    faults.add_argument("--smoke", action="store_true", help="write the smoke tier: the cases that catch everything")
    faults.add_argument("--markdown", type=Path, metavar="FILE", help="write the page of the documents")
    faults.add_argument("--list", action="store_true", dest="only_list", help="list the faults and run nothing")
    faults.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    # Deferred for the sake of every other command's start.
    from runners.faults.fault import Scope
    from runners.faults.show import Request, list_faults, run_hunt

    request = Request(
        tuple(given.fault),
        tuple(given.classes),
        Scope(tuple(given.api), tuple(given.product)),
        given.tier,
        given.jobs,
        given.all_groups,
        given.smoke,
        given.markdown,
    )
    return list_faults(request) if given.only_list else run_hunt(request)
