"""Printing for people and for pipes: nothing is cut where output is no terminal."""

from __future__ import annotations

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

_WIDEST = 1 << 16


def print_table(table: Table) -> None:
    """Print a table; a file has room for it as wide as it is."""
    console = Console()
    if not console.is_terminal:
        console.width = Measurement.get(console, console.options.update(width=_WIDEST), table).maximum
    console.print(table)


def one_line(text: str) -> str:
    """The text with what is no letter, such as the end of a line in a name, spelled out."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
