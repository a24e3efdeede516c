"""Draws how cost grows into docs/growth.svg: ``python -m benchmarks.growth_plot [FILE]``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from math import log10
from pathlib import Path
from statistics import median

from benchmarks.target import Measure
from benchmarks.targets.growth import cases_seconds, elements_seconds
from conformance.opening import open_session
from conformance.options import Options

FILE = Path(__file__).resolve().parent.parent / "docs" / "growth.svg"
Points = Sequence[tuple[float, float]]
_ROUNDS = 3
_BATCH, _TIMES = 100, (1, 2, 4, 8, 16, 32)
_POWERS = range(8, 25, 2)
_WIDTH, _HEIGHT, _LEFT, _TOP, _ROOM = 300, 220, 60, 30, 40


def measured_cases() -> Points:
    """Cases in one run, and its CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        measure = cases_seconds(Path(folder), _BATCH)
        return [(_BATCH * times, _best(measure(times))) for times in _TIMES]


def measured_elements() -> Points:
    """Elements of one case, and its CPU seconds."""
    session = open_session(Options(runner="simulator", isolate=False))
    return [(1 << power, _best(elements_seconds(session, 1 << power))) for power in _POWERS]


def _best(measure: Measure) -> float:
    measure()
    return median(measure() for _ in range(_ROUNDS))


def svg(panels: Sequence[tuple[str, Points]]) -> str:
    """Panels side by side, both axes logarithmic; a dashed line shows exactly linear growth to the last point."""
    width = len(panels) * (_WIDTH + _LEFT + _ROOM)
    height = _HEIGHT + _TOP + _ROOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11" fill="#444">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *(
            line
            for at, (title, points) in enumerate(panels)
            for line in _panel(at * (_WIDTH + _LEFT + _ROOM), title, points)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panel(x: float, title: str, points: Points) -> Iterator[str]:
    axes = [_decades([point[axis] for point in points]) for axis in (0, 1)]

    def place(a: float, b: float) -> tuple[float, float]:
        shares = [(log10(v) - low) / (high - low) for v, (low, high) in zip((a, b), axes, strict=True)]
        return x + _LEFT + shares[0] * _WIDTH, _TOP + (1 - shares[1]) * _HEIGHT

    yield f'<text x="{x + _LEFT}" y="{_TOP - 12}" font-weight="bold">{title}</text>'
    yield f'<rect x="{x + _LEFT}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#aaa"/>'
    (left, right), (bottom, top) = axes
    for power in range(left, right + 1):
        yield _text(place(10.0**power, 10.0**bottom), 0, 16, "middle", power)
    for power in range(bottom, top + 1):
        yield _text(place(10.0**left, 10.0**power), -6, 4, "end", power, " s")
    last_count, last_seconds = points[-1]
    linear = [(count, last_seconds * count / last_count) for count, _ in points]
    shown = [point for point in linear if log10(point[1]) >= bottom]
    yield _line([place(*point) for point in shown], 'stroke="#aaa" stroke-dasharray="4"')
    yield _line([place(*point) for point in points], 'stroke="#06c" stroke-width="2"')
    for point in points:
        cx, cy = place(*point)
        yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3" fill="#06c"/>'


def _decades(values: Sequence[float]) -> tuple[int, int]:
    return int(log10(min(values)) // 1), int(-(-log10(max(values)) // 1))


def _text(at: tuple[float, float], dx: float, dy: float, anchor: str, power: int, unit: str = "") -> str:
    exponent = f'<tspan dy="-4" font-size="8">{power}</tspan><tspan dy="4">{unit}</tspan>'
    return f'<text x="{at[0] + dx:.1f}" y="{at[1] + dy:.1f}" text-anchor="{anchor}">10{exponent}</text>'


def _line(places: Sequence[tuple[float, float]], style: str) -> str:
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline points="{joined}" fill="none" {style}/>'


def main(path: Path = FILE) -> None:
    """Measure and draw."""
    panels = [("CPU time of a run by its cases", measured_cases())]
    panels.append(("CPU time of a case by its elements", measured_elements()))
    path.write_text(svg(panels), encoding="utf-8")
    for title, points in panels:
        print(title, *(f"{count:>10.0f} {seconds:10.6f} s" for count, seconds in points), sep="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
