"""The command ``merge``: records of shards become one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.merge import merge
from conformance.record import read_record

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

GREEN, RED = 0, 1


def add_command(subparsers: _Subparsers) -> None:
    """Add ``merge`` to the command line."""
    parser = subparsers.add_parser("merge", help="join the records of all shards of a run")
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORD", help="one of each shard")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="record to write")
    parser.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    """0 when the shards belong together and nothing in them is red."""
    whole = merge([read_record(path) for path in given.records], given.output)
    counts = ", ".join(f"{count} {verdict.value}" for verdict, count in whole.counts.items())
    print(f"{given.output}: {len(whole.lines)} cases of {len(given.records)} shards: {counts}")
    for complaint in whole.complaints:
        print(f"not conforming: {complaint}")
    executed = any(verdict.was_executed for verdict in whole.counts)
    red = any(verdict.is_red for verdict in whole.counts) or whole.complaints
    return RED if red or not executed else GREEN
