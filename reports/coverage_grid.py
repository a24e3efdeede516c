"""One API's cells as tables that are read at a glance: a table an axis, what is declared in rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from conformance.cells import AXES, BREAKS, EXITS, REFUSAL, Cell
from conformance.coverage import Covered

LEGEND = """\
A number is how many cases cover the cell. With records ✓ says that some ran and all of those passed, ✗ that one is red,
? that none ran. none: no case, for a reason given below. GAP: no case and no reason. Empty: not declared."""
_CASES = "cases"
Table = list[list[str]]
"""Header and rows, each beginning with a name."""


@dataclass(frozen=True, slots=True)
class _Axis:
    """How the cells of an axis are laid out: the name of their row and of their column."""

    row: Callable[[Cell], str]
    column: Callable[[Cell], str]


_BY_PRODUCT = _Axis(lambda cell: " ".join(cell.words), lambda cell: cell.product or _CASES)
_BY_LAST_WORD = _Axis(lambda cell: " ".join(cell.words[:-1]), lambda cell: cell.words[-1])
_AXES = {
    "dtype": _BY_PRODUCT,
    "rank": _BY_LAST_WORD,
    "layout": _BY_LAST_WORD,
    "special": _BY_LAST_WORD,
    "empty": _BY_PRODUCT,
    "protocol": _BY_PRODUCT,
    REFUSAL: _BY_PRODUCT,
}


def grids(cells: Sequence[Covered], about: Mapping[str, str], recorded: bool) -> Iterator[Table]:
    """A table for each axis that has cells; refusals have a last column with what ``about`` says of their labels."""
    for axis in AXES:
        found = [cell for cell in cells if cell.cell.axis == axis]
        if found:
            table = _table(axis, found, recorded)
            yield _with_words(table, about) if axis == REFUSAL else table


def _table(axis: str, cells: Sequence[Covered], recorded: bool) -> Table:
    """Rows and columns in the order in which they are declared."""
    layout, marks = _AXES[axis], {}
    for row in cells:
        marks[layout.row(row.cell), layout.column(row.cell)] = _mark(row, recorded)
    rows, columns = (list(dict.fromkeys(names)) for names in zip(*marks, strict=True))
    return [[axis, *columns], *([name, *(marks.get((name, column), "") for column in columns)] for name in rows)]


def _with_words(table: Table, about: Mapping[str, str]) -> Table:
    """The table with the sentence of each constraint beside the first of its rows."""
    header, *rows = table
    sentences = (about[label] if side in (BREAKS, EXITS) else "" for label, side in (row[0].split() for row in rows))
    return [[*header, "constraint"], *([*row, words] for row, words in zip(rows, sentences, strict=True))]


def _mark(row: Covered, recorded: bool) -> str:
    if not row.ids:
        return "none" if row.reason else "GAP"
    if not recorded:
        return str(len(row.ids))
    return f"{len(row.ids)} {'✓' if row.passed else '✗' if row.red else '?'}"
