"""A record's summary, failures by kind with their diagnoses, and every red case in words, as one HTML page."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from conformance.record import read_record
from conformance.verdict import Verdict
from reports.summary import print_terminal

_WIDTH = 140


def html(path: Path) -> str:
    """The page; it needs no other file."""
    page = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True)
    print_terminal(path, page)
    for line in read_record(path).lines:
        if Verdict(line["verdict"]).is_red:
            _print_red(page, line)
    return page.export_html(inline_styles=True)


def _print_red(page: Console, line: Mapping[str, Any]) -> None:
    page.print()
    page.print(Text(f"{line['verdict'].upper()} {line['id']}", style="bold red"))
    page.print(Text(f"  {line['reason']}"))
    for name, diagnosis in line.get("diagnosis", {}).items():
        page.print(Text(f"  diagnosis {name}: {diagnosis['text']}"))


def print_html(path: Path, console: Console) -> None:
    """Print the page; redirect it into a file."""
    console.file.write(html(path))
