"""What becomes of a record's verdicts when they are made again, as a table and a line for each that changes."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from conformance.corpus import load_corpus
from conformance.environment import data_digest
from conformance.errors import InvalidOption, NothingSelected
from conformance.judgeable import Judgeable, suite_cases
from conformance.load import load_standards, load_waivers
from conformance.options import Options
from conformance.recheck import Recheck, Rejudged, left_out, recheck
from conformance.record import Record, read_record
from conformance.verdict import Verdict

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_SHOWN = 200
"""Changed verdicts that are listed one by one."""
GREEN, RED = 0, 1


def add_command(subparsers: _Subparsers) -> None:
    """Add ``recheck`` to the command line."""
    parser = subparsers.add_parser("recheck", help="judge a record again, by its own standard or by another")
    parser.add_argument("record", type=Path, nargs="?", default=Path("build/record.jsonl"))
    parser.add_argument("--standard", help="rule for the numbers of every case (those of the record)")
    parser.add_argument("--waivers", type=Path, action="append", default=[], metavar="FILE", help="known deviations")
    parser.add_argument("--paths", type=Path, action="append", metavar="PATH", help="where the record's cases are")
    parser.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    """0 when every case could be judged again, something had been executed and none is red."""
    record = read_record(given.record)
    standards, name = load_standards(), given.standard or record.header["standard"]["name"]
    if name not in standards:
        raise InvalidOption(f"unknown standard {name!r}; standards are {', '.join(standards)}")
    waivers = load_waivers(tuple(given.waivers))
    terms = record.header.get("terms", {})
    run = Options(atk_slice=terms.get("atk_slice", 0.0), trust_executors="trust_executors" in terms)
    cases = _cases(given.paths, run)
    of_every_case = given.standard is not None or "standard" in terms
    result = recheck(record, cases, standards[name], waivers, date.today(), of_every_case)
    print_recheck(record, result, Console())
    if result.unknown and given.paths is None:
        print("cases of files of your own, or of other suites, are found where --paths says")
    for text in left_out(record, waivers, data_digest()):
        print(text)
    executed = any(verdict.was_executed for verdict in result.counts)
    red = any(verdict.is_red for verdict in result.counts)
    return RED if result.unknown or red or not executed else GREEN


def _cases(paths: list[Path] | None, run: Options) -> Mapping[str, Judgeable]:
    if paths is None:
        return suite_cases()
    corpus = load_corpus(paths, how=run.file_options)
    for problem in corpus.problems:
        print(f"error: {problem}", file=sys.stderr)
    if not corpus.cases:
        raise NothingSelected("no case file is valid" if corpus.problems else "no case file was found")
    return {case.id: case for case in corpus.cases}


def print_recheck(record: Record, result: Recheck, console: Console) -> None:
    """Counts by verdict before and after, changes by API, then every change with both reasons."""
    _print_counts(record, result, console)
    for text, count in Counter(_change(one) for one in result.changed).most_common():
        console.print(f"{count:>7}  {text}", highlight=False)
    for one in result.changed[:_SHOWN]:
        console.print(f"\n{one.line['id']}: {one.was.value} → {one.now.verdict.value}", highlight=False, soft_wrap=True)
        console.print(f"  was  {one.line['reason'] or '(no reason)'}", markup=False, highlight=False, soft_wrap=True)
        console.print(f"  now  {one.now.reason or '(no reason)'}", markup=False, highlight=False, soft_wrap=True)
    hidden = len(result.changed) - _SHOWN
    if hidden > 0:
        console.print(f"\n{hidden} more change", highlight=False)
    for name in result.unknown[:_SHOWN]:
        console.print(f"unknown: {name} is no case of the suite any more", highlight=False, soft_wrap=True)
    if len(result.unknown) > _SHOWN:
        console.print(f"unknown: {len(result.unknown) - _SHOWN} more", highlight=False)


def _print_counts(record: Record, result: Recheck, console: Console) -> None:
    old, new = record.counts, result.counts
    verdicts = [verdict for verdict in Verdict if old[verdict] or new[verdict]]
    table = Table(box=None, pad_edge=False)
    table.add_column("standard")
    for verdict in verdicts:
        table.add_column(verdict.value.replace("_", " "), justify="right")
    before, after = record.header["standard"], result.standard
    for name, counts in (
        (f"{before['name']} {before['version']}, as recorded", old),
        (f"{after.name} {after.version}, made again", new),
    ):
        table.add_row(name, *(str(counts[verdict] or "·") for verdict in verdicts))
    console.print(table)


def _change(one: Rejudged) -> str:
    return f"{one.line['api']}: {one.was.value} → {one.now.verdict.value}"
