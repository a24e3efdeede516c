"""A record as one HTML page for people: verdict, environment, matrix, failures by kind, every case in detail.

The page needs no other file and no network, and runs no script but its own: its policy names the script by its digest.
It is ASCII, so that no encoding can spoil it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from rich.console import Console

from conformance.ending import complaints_of
from conformance.record import Record, read_record
from reports.grouping import group_failures
from reports.matrix import Matrix, matrix_of
from reports.page_data import SEVERITY, blocks_of, index_of, packed
from reports.sentences import carried_forms
from reports.summary import facts_of
from reports.trend import lines_by_api, lines_of, points_of

_FOLDER = Path(__file__).parent / "page"
_SHOWN_IDS = 3


def html(path: Path, beside: Sequence[Path] = (), history: Sequence[Path] = ()) -> str:
    """The page of a record; ``beside`` are records of other products, ``history`` earlier ones or folders of them."""
    records = [read_record(one) for one in (path, *beside)]
    style, script = _text("page.css"), _text("page.js")
    page: str = _template().render(
        records=records,
        conforming=[_is_conforming(record) for record in records],
        complaints=[complaints_of(record) for record in records],
        counts=[record.counts for record in records],
        facts=[facts_of(record) for record in records],
        verdicts=SEVERITY,
        matrix=matrix_of(records),
        tooltip=_tooltip,
        groups=[(record, group) for record in records for group in group_failures(record)],
        shown_ids=_SHOWN_IDS,
        trend=_trend(records[0], history),
        style=Markup(style),
        script=Markup(script),
        digests=(_digest(style), _digest(script)),
        words=json.loads(_text("words.json")),
        index=packed({**index_of(records), **_languages()}),
        blocks=blocks_of(records),
    )
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii")


def print_html(path: Path, console: Console, *, beside: Sequence[Path] = (), history: Sequence[Path] = ()) -> None:
    """Print the page."""
    console.file.write(html(path, beside, history))


@cache
def _template() -> Any:
    loader = FileSystemLoader(_FOLDER, encoding="utf-8")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.j2")


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _languages() -> dict[str, Any]:
    """The page's own words in both languages, and the suite's sentences in Chinese."""
    return {"translations": json.loads(_text("words.json")), "forms": carried_forms()}


def _digest(text: str) -> str:
    """As a content security policy names an inline script or style."""
    return f"sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def _is_conforming(record: Record) -> bool:
    """Whether the run ended without complaints, something was executed, and nothing is red."""
    verdicts = list(record.counts)
    return (
        not complaints_of(record)
        and any(verdict.was_executed for verdict in verdicts)
        and not any(verdict.is_red for verdict in verdicts)
    )


def _tooltip(matrix: Matrix, api: str, dtype: str, product: str, number: int) -> str:
    cell = matrix.cells[api, dtype, number]
    counts = ", ".join(f"{cell.counts[verdict]} {verdict.value}" for verdict in SEVERITY if cell.counts[verdict])
    near = "" if cell.headroom is None else f"; error ÷ limit {cell.headroom:.3g}"
    return f"{api} {dtype} {product}: {counts}{near}"


def _trend(record: Record, history: Sequence[Path]) -> Mapping[str, Any] | None:
    if not history:
        return None
    points, others = points_of(record, history)
    return {"points": points, "others": others, "lines": lines_of(points), "by_api": lines_by_api(points)}
