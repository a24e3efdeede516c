"""A record in one screen: API × verdict, error ÷ limit, failures by kind, slowest and red cases, environment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from conformance.record import Record, has_kept_golden, is_flaky, read_record
from conformance.verdict import Verdict
from reports.grouping import FailureGroup, group_failures

_RATIO = "error ÷ limit"
_SHOWN_RATIO = 1000.0
_SHOWN_RED, _SHOWN_SLOW, _SHOWN_CLOSE = 20, 3, 3
_SHOWN_GROUPS, _SHOWN_IDS = 10, 3
_NAME, _WIDE = 12, 120
"""Characters of a name that stand in one line in a narrow terminal, where numbers are never broken; width of files."""


@dataclass(frozen=True, slots=True)
class ApiRow:
    """One API's counts by verdict and its largest headroom: error ÷ limit, over 1 where a case failed for it."""

    api: str
    counts: Counter[Verdict]
    headroom: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """What the terminal and the markdown form both show."""

    record: Record
    verdicts: tuple[Verdict, ...]
    rows: tuple[ApiRow, ...]
    groups: tuple[FailureGroup, ...]
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
    counts = record.counts
    return Summary(
        record,
        tuple(v for v in Verdict if counts[v] or v in (Verdict.PASSED, Verdict.FAILED)),
        rows,
        group_failures(record),
        tuple(line for line in record.lines if Verdict(line["verdict"]).is_red),
        tuple(sorted(record.lines, key=lambda line: -line["seconds"])[:_SHOWN_SLOW]),
        tuple(sorted(passed, key=lambda line: -_headroom(line))[:_SHOWN_CLOSE]),
    )


def _counts(lines: Iterable[Mapping[str, Any]]) -> Counter[Verdict]:
    return Counter(Verdict(line["verdict"]) for line in lines)


def _worst(lines: Sequence[Mapping[str, Any]]) -> float | None:
    found = [_headroom(line) for line in lines if line.get("headroom") is not None]
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
    kept = sum(map(has_kept_golden, record.lines))
    flaky, failed = sum(map(is_flaky, record.lines)), record.counts[Verdict.FAILED]
    return [
        ("runner", f"{runner['name']} {runner['version']} as {header['product']}"),
        ("reference", f"{reference['name']} {reference['version']}"),
        ("standard", f"{standard['name']} {standard['version']}, seed {header['seed']}"),
        *(("standard", f"{name}, which files ask for, judged {count} cases") for name, count in _asked_for(record)),
        ("suite", f"{environment['suite']}, data {header['data'][:12]}, {libraries}"),
        ("record", f"{record.path} ({len(record.lines)} cases{seconds})"),
        *([("goldens", f"of {kept} of {len(record.lines)} cases kept from an earlier run")] if kept else []),
        *([("flaky", f"{flaky} of {failed} failed cases passed when they were run again")] if flaky else []),
        *(("complaint", text) for text in record.complaints),
    ]


def _asked_for(record: Record) -> list[tuple[str, int]]:
    """Standards that files asked for, with how many cases each judged."""
    return sorted(Counter(line["standard"] for line in record.lines if "standard" in line).items())


def print_terminal(path: Path, console: Console) -> None:
    """Print a record's summary for a terminal."""
    summary = summarise(read_record(path))
    _at_least(console, _WIDE).print(_table(summary))
    _print_groups(console, summary.groups)
    _print_some(console, "closest to the limit", [f"{_headroom(x):.2f} {x['id']}" for x in summary.closest])
    _print_some(console, "slowest", [f"{x['seconds'] * 1000:.0f} ms {x['id']}" for x in summary.slowest])
    for name, fact in facts_of(summary.record):
        console.print(Text(f"{name:<10} {fact}"), soft_wrap=True)


def _print_groups(console: Console, groups: Sequence[FailureGroup]) -> None:
    for group in groups[:_SHOWN_GROUPS]:
        console.print(Text(str(group), style="bold"), soft_wrap=True)
        for case_id in group.ids[:_SHOWN_IDS]:
            console.print(Text(f"  {case_id}"), soft_wrap=True)
        if len(group.ids) > _SHOWN_IDS:
            console.print(Text(f"  … and {len(group.ids) - _SHOWN_IDS} more"))
    if len(groups) > _SHOWN_GROUPS:
        console.print(Text(f"… and {len(groups) - _SHOWN_GROUPS} more kinds of failure"))


def _print_some(console: Console, title: str, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(Text(f"{title:<21} {line}"), soft_wrap=True)
        title = ""


def _at_least(console: Console, width: int) -> Console:
    """The console, or where it is no terminal one of that width: a file has room."""
    return console if console.is_terminal or console.width >= width else Console(file=console.file, width=width)


def _table(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    longest = max((len(row.api) for row in summary.rows), default=3)
    table.add_column("API", overflow="fold", min_width=min(longest, _NAME))
    total = summary.record.counts
    for verdict in summary.verdicts:
        digits = len(str(total[verdict]))
        table.add_column(verdict.value.replace("_", " "), justify="right", overflow="fold", min_width=digits)
    table.add_column(_RATIO, justify="right", no_wrap=True)
    for row in summary.rows:
        table.add_row(row.api, *(_cell(v, row.counts[v]) for v in summary.verdicts), _ratio(row.headroom))
    table.add_section()
    table.add_row("all", *(_cell(v, total[v]) for v in summary.verdicts), _ratio(_worst(summary.record.lines)))
    return table


def _cell(verdict: Verdict, count: int) -> Text:
    if not count:
        return Text("·", style="dim")
    return Text(str(count), style="red" if verdict.is_red else "green" if verdict is Verdict.PASSED else "")


def _ratio(headroom: float | None) -> str:
    return "–" if headroom is None else f"{headroom:.2f}" if headroom < _SHOWN_RATIO else f"{headroom:.0e}"


def markdown(record: Record) -> str:
    """A record's summary as a markdown document."""
    summary = summarise(record)
    columns = ["API", *(verdict.value for verdict in summary.verdicts), _RATIO]
    lines = ["# Conformance summary", "", *(f"- **{name}**: {fact}" for name, fact in facts_of(record)), ""]
    lines += [_row(columns), _row(["---", *["---:"] * (len(columns) - 1)])]
    lines += [_row([r.api, *(str(r.counts[v]) for v in summary.verdicts), _ratio(r.headroom)]) for r in summary.rows]
    if summary.groups:
        lines += ["", f"## Failures by kind ({len(summary.groups)})", ""]
        lines += [f"- {group}: {_some_ids(group.ids)}" for group in summary.groups]
    if summary.red:
        lines += ["", f"## Red cases ({len(summary.red)})", ""]
        lines += [f"- `{line['id']}` {line['verdict']}: {line['reason']}" for line in summary.red[:_SHOWN_RED]]
        left = len(summary.red) - _SHOWN_RED
        lines += [f"- … and {left} more in the record"] if left > 0 else []
    return "\n".join(lines) + "\n"


def _some_ids(ids: Sequence[str]) -> str:
    shown = ", ".join(f"`{case_id}`" for case_id in ids[:_SHOWN_IDS])
    return f"{shown} and {len(ids) - _SHOWN_IDS} more" if len(ids) > _SHOWN_IDS else shown


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def print_markdown(path: Path, console: Console) -> None:
    """Print a record's summary as markdown."""
    console.print(Text(markdown(read_record(path))), end="", soft_wrap=True)
