"""``survey``: what of a tree of other suites' files this suite can run, and why not the rest."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from conformance.case import ELEMENT_CAP
from conformance.errors import NothingSelected
from conformance.foreign.outlook import NAMELESS, NO_CONTRACT, OUTCOMES, RUNNABLE
from conformance.options import parse_limit
from conformance.printing import one_line, print_table
from conformance.select import Limits
from conformance.survey import Survey, survey, surveyed_files

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

GREEN, RED = 0, 1
_REASONS = 20


def add_command(subparsers: _Subparsers) -> None:
    """Add ``survey`` to the command line."""
    parser = subparsers.add_parser("survey", help="say what of a tree of other suites' files can be run")
    what = "case file of ATK, TTK or msopst, or folder that holds some"
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help=what)
    parser.add_argument(
        "--max-elements", type=parse_limit, default=ELEMENT_CAP, help="largest tensor (%(default)s elements)"
    )
    parser.add_argument("--max-bytes", type=parse_limit, help="most bytes that the inputs of a case may take together")
    parser.add_argument("--apis", action="store_true", help="a line for each API too")
    parser.add_argument("--reasons", action="store_true", help="a line for each case that is not runnable: where, why")
    parser.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    """0 where at least one case can be run."""
    missing = [path for path in given.paths if not path.exists()]
    for path in missing:
        print(f"error: {path} does not exist", file=sys.stderr)
    files = surveyed_files(path for path in given.paths if path.exists())
    if not files and not missing:
        raise NothingSelected("no case file of ATK, TTK or msopst was found; name one, or the folder that holds some")
    found = survey(files, Limits(given.max_elements, given.max_bytes))
    for problem in found.problems:
        print(f"error: {problem}", file=sys.stderr)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    _print_counts(found, apis=given.apis)
    if given.reasons:
        _print_each(found)
    else:
        _print_commonest(found)
    return GREEN if found.outcomes[RUNNABLE] and not missing else RED


def _print_counts(found: Survey, *, apis: bool) -> None:
    """Totals, and outcomes of all cases, of each API where asked for."""
    counted, outcomes = found.apis, found.outcomes
    without = sum(1 for counts in counted.values() if counts[NO_CONTRACT])
    named = len(counted.keys() - {NAMELESS})
    parts = f"{named - without} with a contract, {without} without"
    print(f"{found.files} files, {found.cases} cases of {named} APIs: {parts}")
    shown = [outcome for outcome in OUTCOMES if outcomes[outcome]]
    if shown:
        print_table(_table({**(counted if apis else {}), "all": outcomes}, shown))


def _print_commonest(found: Survey) -> None:
    reasons = [(reason, count) for reason, count in found.reasons.most_common() if reason[1]]
    for (outcome, why), count in reasons[:_REASONS]:
        print(one_line(f"{count:>7}  {outcome}: {why}"))
    if len(reasons) > _REASONS:
        print(f"         and {len(reasons) - _REASONS} more reasons (--reasons names the cases of all)")


def _print_each(found: Survey) -> None:
    for where, outlook in found.not_run():
        print(one_line(f"{where}: {outlook.api} {outlook.outcome}: {outlook.why}"))


def _table(rows: dict[str, Counter[str]], shown: list[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("API", overflow="fold")
    for outcome in shown:
        table.add_column(outcome, justify="right")
    for name, counts in sorted(rows.items(), key=lambda row: (row[0] == "all", row[0])):
        table.add_row(name, *(str(counts[outcome] or "·") for outcome in shown))
    return table
