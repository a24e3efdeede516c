r"""A record as a spreadsheet with the sheets and columns of ATK's, for pipelines that read those.

Rows are written as they are made, so that the sheets of a large record need no memory. Every text is a text: what
begins with ``=`` is no formula, an address no link. What the format cannot hold is written as its escape, ``\x1b``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from xlsxwriter import Workbook
from xlsxwriter.exceptions import XlsxWriterException

from conformance.ending import complaints_of
from conformance.errors import InvalidOption
from conformance.record import Record, read_record
from reports.atk_rows import (
    ACCURACY,
    COLUMNS,
    FAILED,
    STATUS,
    SUMMARY_COLUMNS,
    TIMEOUT,
    Cell,
    Row,
    Summary,
    facts_of,
    row_of,
    row_of_complaint,
)
from reports.junit import clean

MOST_ROWS = 1 << 20
"""Rows of a sheet, its header among them."""
MOST_CHARACTERS = 32_766
"""Characters of a cell, counted in UTF-16; one more is kept free."""
_CUT = "… (cut)"
_MARKUP = "</r>"
"""The library takes a text from <r> to this for markup of its own, and writes it as it is."""
_WIDTH = 18


def write_xlsx(path: Path, console: Console, output: Path | None = None) -> None:
    """Write the spreadsheet of a record; raises InvalidOption without a file, or where it cannot be written."""
    if output is None:
        raise InvalidOption("report xlsx is no text that can be printed: name a file, -o build/report.xlsx")
    record = read_record(path)
    spare = output.with_name(f"{output.name}.part")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        _write(record, spare)
        spare.replace(output)
    except (OSError, XlsxWriterException) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidOption(f"{output}: cannot be written: {reason}") from None
    finally:
        with suppress(OSError):
            spare.unlink(missing_ok=True)


def _write(record: Record, path: Path) -> None:
    with path.open("wb") as file:
        book = Workbook(file, {"constant_memory": True})
        book.set_properties({"created": datetime.fromisoformat(record.header["started"])})
        statistic, summary = Sheets(book, "statistic", COLUMNS), Sheets(book, "summary", SUMMARY_COLUMNS)
        failed, inaccurate = (Sheets(book, name, COLUMNS) for name in ("failed cases", "accuracy false cases"))
        run = Sheets(book, "run", ("名称", "值"))
        summaries: dict[str, Summary] = {}
        for name, row, line in _rows(record):
            statistic.add(row)
            if row[STATUS] in (FAILED, TIMEOUT):
                failed.add(row)
            if row[ACCURACY] is False:
                inaccurate.add(row)
            summaries.setdefault(name, Summary(name)).add(row, line)
        for one in summaries.values():
            summary.add(one.row())
        for fact in facts_of(record):
            run.add(fact)
        book.close()


def _rows(record: Record) -> Iterator[tuple[str, Row, Any]]:
    """What each row counts for in the summary, the row, and the line it was made from."""
    for line in record.lines:
        yield line["api"], row_of(line), line
    for number, text in enumerate(complaints_of(record), 1):
        row = row_of_complaint(number, text)
        yield str(row[-4]), row, None


class Sheets:
    """A sheet that is written row by row, and those that follow it when it is full. Not a value: it knows its row."""

    def __init__(self, book: Any, name: str, columns: Sequence[str]) -> None:
        """An empty sheet of that name, with a header."""
        self._book, self._name, self._columns = book, name, columns
        self._count = 0
        self._begin()

    def add(self, row: Sequence[Cell]) -> None:
        """Write a row below the last."""
        if self._row == MOST_ROWS:
            self._begin()
        for column, cell in enumerate(row):
            self._write(column, cell)
        self._row += 1

    def _begin(self) -> None:
        self._count += 1
        name = self._name if self._count == 1 else f"{self._name} {self._count}"
        self._sheet = self._book.add_worksheet(name)
        self._sheet.set_column(0, len(self._columns) - 1, _WIDTH)
        self._sheet.freeze_panes(1, 0)
        self._row = 0
        for column, title in enumerate(self._columns):
            self._write(column, title)
        self._row = 1

    def _write(self, column: int, cell: Cell) -> None:
        if isinstance(cell, bool):
            self._sheet.write_boolean(self._row, column, cell)
        elif isinstance(cell, (int, float)):
            self._sheet.write_number(self._row, column, cell)
        elif cell:
            self._sheet.write_string(self._row, column, text_of(cell))


def text_of(text: str) -> str:
    """A text that a cell may hold: without forbidden characters, and cut where it is too long."""
    bare = clean(text)
    if _units(bare) > MOST_CHARACTERS:
        room = MOST_CHARACTERS - _units(_CUT)
        bare = bare.encode("utf-16-le")[: 2 * room].decode("utf-16-le", "ignore") + _CUT
    return f"{bare} " if bare.endswith(_MARKUP) else bare


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
