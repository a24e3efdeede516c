"""A CSV file → its rows as dictionaries of the cells that are not empty, with the line that each begins on."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path

from conformance.errors import InvalidData, Location, Problem

Row = tuple[int, Mapping[str, str]]
_DELIMITERS = ",;\t"
_MOST_CELLS = 4096


def read_table(path: Path) -> Iterator[Row | Problem]:
    """Rows of a file in order, and what is wrong with those that are none; raises InvalidData without a header."""
    text = _text_of(path)
    begin = text.lstrip("\r\n").partition("\n")[0]
    rows = csv.reader(StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=begin.count), strict=True)
    header: list[str] | None = None
    line = 1
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            break
        except csv.Error as error:
            yield Problem(Location(path, line), f"malformed CSV: {error}", "quote a cell that holds commas")
            return
        begun, line = line, rows.line_num + 1
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = _header(path, begun, cells)
            continue
        yield _row(path, begun, header, cells)


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InvalidData([Problem(Location(path), f"cannot be read: {error.strerror}", "check the path")]) from None
    except UnicodeDecodeError as error:
        what = f"not UTF-8: {error.reason} at byte {error.start}"
        raise InvalidData([Problem(Location(path), what, "save it as UTF-8")]) from None


def _header(path: Path, line: int, cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if any(not any(column in name for name in names) for column in ("testcase_name", "op_name")):
        what = "does not begin with the header of a table of cases"
        raise InvalidData([Problem(Location(path, line), what, "columns are testcase_name, op_name, input_shapes, …")])
    twice = sorted({name for name in names if name and names.count(name) > 1}) if len(names) <= _MOST_CELLS else ["…"]
    if twice:
        what = f"the header names {twice[0]} twice" if twice[0] != "…" else f"the header has {len(names)} cells"
        raise InvalidData([Problem(Location(path, line), what, "keep one of them")])
    return names


def _row(path: Path, line: int, header: list[str], cells: list[str]) -> Row | Problem:
    given = {name: cell.strip() for name, cell in zip(header, cells, strict=False) if name and cell.strip()}
    beyond = [
        cell for cell, name in zip(cells, [*header, *[""] * len(cells)], strict=False) if cell.strip() and not name
    ]
    if beyond:
        what = f"a cell outside the {len(header)} columns of the header: {beyond[0].strip()!r}"[:120]
        return Problem(Location(path, line), what, "quote a cell that holds commas")
    return line, given


def places_in_table(path: Path, lines: Iterable[int]) -> list[Location]:
    """Where rows of a file stand, by the lines that they begin on."""
    return [Location(path, line) for line in lines]
