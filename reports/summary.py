"""A record in one screen: API × verdict, worst headroom, slowest cases, red cases, environment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from conformance.record import Record, read_record
from conformance.verdict import Verdict

_SHOWN_RED, _SHOWN_SLOW, _SHOWN_CLOSE = 20, 3, 3


@dataclass(frozen=True, slots=True)
class ApiRow:
    """One API's counts by verdict and the worst headroom (error ÷ limit) among its passed cases."""

    api: str
    counts: Counter[Verdict]
    headroom: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """What the terminal and the markdown form both show."""

    record: Record
    verdicts: tuple[Verdict, ...]
    rows: tuple[ApiRow, ...]
    red: tuple[Mapping[str, Any], ...]
    slowest: tuple[Mapping[str, Any], ...]
    closest: tuple[Mapping[str, Any], ...]


def summarise(record: Record) -> Summary:
    """The summary of a record."""
    by_api: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in record.lines:
        by_api[line["api"]].append(line)
    rows = tuple(ApiRow(api, _counts(lines), _worst(lines)) for api, lines in sorted(by_api.items()))
    passed = [line for line in record.lines if line["verdict"] == Verdict.PASSED.value]
    return Summary(
        record,
        tuple(v for v in Verdict if record.counts[v] or v in (Verdict.PASSED, Verdict.FAILED)),
        rows,
        tuple(line for line in record.lines if Verdict(line["verdict"]).is_red),
        tuple(sorted(record.lines, key=lambda line: -line["seconds"])[:_SHOWN_SLOW]),
        tuple(sorted(passed, key=lambda line: -_headroom(line))[:_SHOWN_CLOSE]),
    )


def _counts(lines: Iterable[Mapping[str, Any]]) -> Counter[Verdict]:
    return Counter(Verdict(line["verdict"]) for line in lines)


def _worst(lines: Sequence[Mapping[str, Any]]) -> float | None:
    found = [_headroom(line) for line in lines if line["verdict"] == Verdict.PASSED.value and "headroom" in line]
    return max(found, default=None)


def _headroom(line: Mapping[str, Any]) -> float:
    return float(line.get("headroom") or 0.0)


def facts_of(record: Record) -> list[tuple[str, str]]:
    """Who was judged, against what, where: name and value, for people."""
    header = record.header
    environment = header["environment"]
    standard, runner, reference = header["standard"], header["runner"], header["reference"]
    libraries = ", ".join(f"{name} {environment[name]}" for name in ("python", "numpy", "torch"))
    seconds = f", {record.footer['seconds']:.1f} s" if record.footer else ", did not end: the record is truncated"
    return [
        ("runner", f"{runner['name']} {runner['version']} as {header['product']}"),
        ("reference", f"{reference['name']} {reference['version']}"),
        ("standard", f"{standard['name']} {standard['version']}, seed {header['seed']}"),
        ("suite", f"{environment['suite']}, data {header['data'][:12]}, {libraries}"),
        ("record", f"{record.path} ({len(record.lines)} cases{seconds})"),
    ]


def print_terminal(path: Path, console: Console) -> None:
    """Print a record's summary for a terminal."""
    summary = summarise(read_record(path))
    console.print(_table(summary))
    _print_some(console, "closest to the limit", [f"{_headroom(x):.2f} {x['id']}" for x in summary.closest])
    _print_some(console, "slowest", [f"{x['seconds'] * 1000:.0f} ms {x['id']}" for x in summary.slowest])
    for name, fact in facts_of(summary.record):
        console.print(Text(f"{name:<10} {fact}"), soft_wrap=True)


def _print_some(console: Console, title: str, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(Text(f"{title:<21} {line}"), soft_wrap=True)
        title = ""


def _table(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("API", no_wrap=True, min_width=max((len(row.api) for row in summary.rows), default=3))
    for verdict in summary.verdicts:
        table.add_column(verdict.value, justify="right")
    table.add_column("worst headroom", justify="right")
    for row in summary.rows:
        table.add_row(row.api, *(_cell(v, row.counts[v]) for v in summary.verdicts), _ratio(row.headroom))
    table.add_section()
    total = summary.record.counts
    table.add_row("all", *(_cell(v, total[v]) for v in summary.verdicts), _ratio(_worst(summary.record.lines)))
    return table


def _cell(verdict: Verdict, count: int) -> Text:
    if not count:
        return Text("·", style="dim")
    return Text(str(count), style="red" if verdict.is_red else "green" if verdict is Verdict.PASSED else "")


def _ratio(headroom: float | None) -> str:
    return "–" if headroom is None else f"{headroom:.2f}"


def markdown(record: Record) -> str:
    """A record's summary as a markdown document."""
    summary = summarise(record)
    columns = ["API", *(verdict.value for verdict in summary.verdicts), "worst headroom"]
    lines = ["# Conformance summary", "", *(f"- **{name}**: {fact}" for name, fact in facts_of(record)), ""]
    lines += [_row(columns), _row(["---", *["---:"] * (len(columns) - 1)])]
    lines += [_row([r.api, *(str(r.counts[v]) for v in summary.verdicts), _ratio(r.headroom)]) for r in summary.rows]
    if summary.red:
        lines += ["", f"## Red cases ({len(summary.red)})", ""]
        lines += [f"- `{line['id']}` {line['verdict']}: {line['reason']}" for line in summary.red[:_SHOWN_RED]]
        left = len(summary.red) - _SHOWN_RED
        lines += [f"- … and {left} more in the record"] if left > 0 else []
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def print_markdown(path: Path, console: Console) -> None:
    """Print a record's summary as markdown."""
    console.print(Text(markdown(read_record(path))), end="", soft_wrap=True)
