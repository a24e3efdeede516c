"""The command ``coverage``: what contracts declare, what cases cover, and what of it ran and passed in records."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.cells import AXES, REFUSAL
from conformance.corpus import Corpus, load_corpus
from conformance.coverage import Answers, Covered, coverage_of
from conformance.errors import NothingSelected
from conformance.load import contracts_named, load_contracts
from conformance.record import Record, read_cases
from conformance.signature import snake_name
from conformance.verdict import Verdict
from reports.coverage_grid import LEGEND, grids
from reports.fault_coverage import fault_lines, read_faults

if TYPE_CHECKING:
    _Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_GREEN, _RED = 0, 1
_COLUMNS = ("declared", "no case", "with cases", "executed", "passed")
_NOTHING_RAN = "-"
_LONGEST_NUMBER = 24
"""Columns wider than this hold sentences."""
_EXPLANATION = """\
A cell is one thing that a document declares: a type on a product, a number of dimensions, a layout, a special value, an
empty tensor, a protocol step, a constraint from either side. Columns by kind: cells with a case / cells declared.
no case: cells without one, for the reasons below. executed, passed: cells of which some case ran, and of which all that
ran passed, in the records given with --record. --api NAME shows the cells of an API."""
Rows = Mapping[str, Sequence[Covered]]
"""Name of an API → its cells."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Cells of a group: declared, of them without a case and with cases, executed, passed."""

    declared: int
    without: int
    with_cases: int
    executed: int
    passed: int

    @classmethod
    def of(cls, rows: Iterable[Covered]) -> Counts:
        """The counts of some cells."""
        cells = list(rows)
        return cls(
            len(cells),
            sum(not cell.ids for cell in cells),
            sum(bool(cell.ids) for cell in cells),
            sum(cell.executed > 0 for cell in cells),
            sum(cell.passed for cell in cells),
        )

    def words(self, recorded: bool) -> list[str]:
        """The five numbers, in the order of the table's columns; without records nothing is known of the last two."""
        ran = [str(self.executed), str(self.passed)] if recorded else [_NOTHING_RAN, _NOTHING_RAN]
        return [str(self.declared), str(self.without), str(self.with_cases), *ran]

    def __str__(self) -> str:
        return f"{self.with_cases}/{self.declared}"


def answers_of(records: Iterable[Record]) -> Answers:
    """Runs that records hold, each with the product it was made as; the same run in two is red where either is."""
    executed, red = set(), set()
    for record in records:
        for line in record.lines:
            run, verdict = (line["id"], record.header["product"]), Verdict(line["verdict"])
            if verdict.was_executed:
                executed.add(run)
                red.update([run] if verdict.is_red else [])
    return Answers(frozenset(executed), frozenset(red))


def rows_of(corpus: Corpus, answers: Answers, apis: Sequence[str] = ()) -> Rows:
    """Cells of every API with a contract, or of those named; raises NothingSelected."""
    contracts = contracts_named(apis)
    if not contracts:
        raise NothingSelected("there is no contract")
    return {api: coverage_of(contract, corpus.cases, answers) for api, contract in sorted(contracts.items())}


def overview(rows: Rows, recorded: bool = False) -> list[list[str]]:
    """Header, one line an API and a last one for all: with cases/declared by axis, then the totals."""
    lines = [["API", *AXES, *_COLUMNS]]
    everything = [cell for cells in rows.values() for cell in cells]
    for name, cells in (*rows.items(), (f"all {len(rows)}", everything)):
        by_axis = [str(Counts.of(cell for cell in cells if cell.cell.axis == axis)) for axis in AXES]
        lines.append([name, *by_axis, *Counts.of(cells).words(recorded)])
    return lines


def details(cells: Sequence[Covered]) -> list[list[str]]:
    """Header and one line a cell: its name, number of cases, of runs and of red ones, and what that makes of it."""
    lines = [[str(row.cell), str(len(row.ids)), str(row.executed), str(row.red), _state(row)] for row in cells]
    return [["cell", "cases", "executed", "red", "state"], *lines]


def _state(row: Covered) -> str:
    if not row.ids:
        return "untested" if row.reason else "NO CASE"
    return "passed" if row.passed else "red" if row.red else "not executed"


def remarks(rows: Rows) -> list[str]:
    """Cells without a case, an API and reason at a time."""
    found = []
    for api, cells in rows.items():
        bare = sorted((row.reason or "no reason is given", _name(row)) for row in cells if not row.ids)
        for reason, same in groupby(dict.fromkeys(bare), key=lambda pair: pair[0]):
            found.append(f"{api} has no case of {_gathered([name for _, name in same])}: {reason}")
    return found


def _name(row: Covered) -> tuple[str, ...]:
    """Words of a cell's name; of a constraint that is untested only its label, on every side and product so.

    Types with a reason have it on every product too.
    """
    cell = row.cell
    if cell.axis == REFUSAL and row.reason:
        return REFUSAL, cell.words[0]
    return cell.axis, *cell.words, *([cell.product] if cell.product and not row.reason else [])


def _gathered(names: Sequence[tuple[str, ...]]) -> str:
    """Names of cells; those that are every combination of some words as one, ``dtype/x|y/int8|int16``.

    Where all together are not, those that begin alike are tried.
    """
    words = [list(dict.fromkeys(column)) for column in zip(*names, strict=False)]
    if len({len(name) for name in names}) == 1 and prod(map(len, words)) == len(names):
        return "/".join("|".join(column) for column in words)
    parts = [list(same) for _, same in groupby(names, key=lambda name: name[:2])]
    return ", ".join(map(_gathered, parts)) if len(parts) > 1 else ", ".join(map("/".join, names))


def add_command(subparsers: _Subparsers) -> None:
    """Add ``coverage`` to the command line."""
    coverage = subparsers.add_parser("coverage", help="show what contracts declare and which cases cover it")
    coverage.add_argument(
        "--api", action="append", default=[], metavar="NAME", help="its cells, a table a kind; repeatable"
    )
    coverage.add_argument("--cells", action="store_true", help="of an API a line a cell in place of tables")
    coverage.add_argument(
        "--record", action="append", default=[], type=Path, metavar="FILE", help="what ran and passed; repeatable"
    )
    coverage.add_argument("--markdown", action="store_true", help="print markdown")
    coverage.add_argument(
        "--faults", type=Path, metavar="FILE", help="which groups find which faults, instead of cells"
    )
    coverage.set_defaults(handler=_handle)


def _handle(given: argparse.Namespace) -> int:
    if given.faults is None:
        return show(given.api, given.record, given.markdown, given.cells)
    lines = list(fault_lines(read_faults(given.faults), [snake_name(api) for api in given.api]))
    print("\n".join(lines) or "no group finds a fault")
    return _GREEN if lines else _RED


def show(apis: Sequence[str], records: Sequence[Path], markdown: bool, by_line: bool = False) -> int:
    """Print the table, or the cells of some APIs; 1 where a declared cell has neither case nor reason."""
    answers = answers_of(map(read_cases, records))
    contracts_named(apis)
    corpus = load_corpus()
    for problem in corpus.problems:
        print(f"error: {problem}", file=sys.stderr)
    rows = rows_of(corpus, answers, apis)
    for lines in (*_tables(rows if apis else {}, bool(records), by_line), overview(rows, bool(records))):
        print("\n".join(_markdown(lines) if markdown else _aligned(lines)), end="\n\n")
    print(LEGEND if apis and not by_line else _EXPLANATION, end="\n\n")
    for remark in remarks(rows):
        print(f"- {remark}" if markdown else remark)
    return _RED if corpus.problems or any(cell.is_gap for cells in rows.values() for cell in cells) else _GREEN


def _tables(rows: Rows, recorded: bool, by_line: bool) -> Iterator[Sequence[Sequence[str]]]:
    contracts = load_contracts()
    for api, cells in rows.items():
        if by_line:
            yield details(cells)
        else:
            about = {constraint.label: constraint.about for constraint in contracts[api].constraints}
            yield from grids(cells, about, recorded)


def _aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as their widest word, whatever the terminal: names stay whole, numbers stand at the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for name, *words in lines:
        cells = [
            word.ljust(width) if width > _LONGEST_NUMBER else word.rjust(width)
            for word, width in zip(words, widths[1:], strict=True)
        ]
        yield "  ".join((name.ljust(widths[0]), *cells)).rstrip()


def _markdown(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    header, *rest = lines
    for line in (header, ["---", *["---:"] * (len(header) - 1)], *rest):
        yield f"| {' | '.join(line)} |"
