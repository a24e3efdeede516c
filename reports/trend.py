"""What earlier records of the same kind of run had: a few figures each, and lines through them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.errors import InvalidRecord
from conformance.record import Record, read_record
from conformance.verdict import Verdict

LONGEST = 30
"""Records that a line goes through at most: the latest."""
_WIDTH, _HEIGHT, _EDGE = 120, 28, 3


@dataclass(frozen=True, slots=True)
class Point:
    """One run: when it started, cases by verdict, red ones by API, largest headroom of those passed, seconds."""

    started: str
    counts: Counter[Verdict]
    red: Counter[str]
    headroom: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line through figures: ``dots`` are x, y and what they say."""

    name: str
    first: str
    last: str
    dots: tuple[tuple[float, float, str], ...]

    @property
    def path(self) -> str:
        """Points of an SVG polyline."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in self.dots)


def points_of(record: Record, history: Sequence[Path]) -> tuple[tuple[Point, ...], int]:
    """Points of earlier records and of this one, by time; how many were of another product, runner or standard.

    Folders stand for the records in them. Raises InvalidRecord for a file that is none, and where there are no files.
    """
    kind, found, others = _kind(record), {}, 0
    for path in _files(history):
        earlier = read_record(path)
        if _kind(earlier) == kind:
            found[str(earlier.header["started"])] = point_of(earlier)
        else:
            others += 1
    found[str(record.header["started"])] = point_of(record)
    return tuple(found[started] for started in sorted(found))[-LONGEST:], others


def point_of(record: Record) -> Point:
    """The figures of one record."""
    passed = [line for line in record.lines if line["verdict"] == Verdict.PASSED.value]
    return Point(
        str(record.header["started"]),
        record.counts,
        Counter(line["api"] for line in record.lines if Verdict(line["verdict"]).is_red),
        max((float(line.get("headroom") or 0) for line in passed), default=0.0),
        float(record.footer["seconds"]) if record.footer else sum(line["seconds"] for line in record.lines),
    )


def lines_of(points: Sequence[Point]) -> list[Line]:
    """Lines for all cases: red ones, passed ones, the largest headroom, seconds."""
    return [
        line_of("red", points, [sum(point.red.values()) for point in points]),
        line_of("passed", points, [point.counts[Verdict.PASSED] for point in points]),
        line_of("headroom", points, [round(point.headroom, 3) for point in points]),
        line_of("seconds", points, [round(point.seconds, 1) for point in points]),
    ]


def lines_by_api(points: Sequence[Point]) -> Mapping[str, Line]:
    """A line of red cases for each API that had one."""
    apis = sorted({api for point in points for api in point.red})
    return {api: line_of(api, points, [point.red[api] for point in points]) for api in apis}


def line_of(name: str, points: Sequence[Point], figures: Sequence[float]) -> Line:
    """A line that fills its box from the least to the largest figure; a flat one lies at the bottom."""
    least, span = min(figures), max(figures) - min(figures) or 1
    step = (_WIDTH - 2 * _EDGE) / max(len(figures) - 1, 1)
    dots = tuple(
        (
            _EDGE + at * step,
            _HEIGHT - _EDGE - (figure - least) / span * (_HEIGHT - 2 * _EDGE),
            f"{day.started}: {figure}",
        )
        for at, (day, figure) in enumerate(zip(points, figures, strict=True))
    )
    return Line(name, str(figures[0]), str(figures[-1]), dots)


def _kind(record: Record) -> tuple[str, str, str]:
    header = record.header
    return header["product"], header["runner"]["name"], header["standard"]["name"]


def _files(paths: Iterable[Path]) -> list[Path]:
    files = [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if not files:
        raise InvalidRecord(f"{', '.join(map(str, paths))}: holds no record (*.jsonl)")
    return files
