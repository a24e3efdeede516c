"""Results of a run as lines of text and as Markdown."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.target import Figure, Found

_PREFIXES = ((1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_MEBIBYTE = 1 << 20


def line(found: Found) -> str:
    """One result for the terminal."""
    target = found.target
    if found.trouble:
        return f"{target.name:<44} {found.result}"
    return f"{target.name:<44} {_figure(found):>10}  of {_bound(found, target.floor):>10}  {found.result}"


def markdown(results: Sequence[Found], rounds: int) -> str:
    """The page of a whole run."""
    missed = [found for found in results if found.is_missed]
    head = [
        "# Measured speed",
        "",
        "Written by `make bench`; [performance.md](../docs/performance.md) explains. Figures are medians of "
        f"{rounds} rounds in which measured and peer alternate. Noise is half the distance between the quartiles of "
        "the rounds' figures; a floor that is missed by no more than that counts as met.",
        "",
        f"{machine()}. {len(results) - len(missed)} of {len(results)} targets met.",
        "",
        "| target | what | figure | floor | aim | noise | measured | peer | result |",
        "|---|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    return "\n".join([*head, *map(_row, results), ""])


def machine() -> str:
    """Where and when this is measured."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "torch", "pytest"))
    return (
        f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, {_processor()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}, {versions}, "
        f"a loop of 10⁶ steps {amount(_pace(), 's')}"
    )


def _pace() -> float:
    """CPU seconds of a plain Python loop: by it the times of two machines, or of one on two days, can be compared."""
    took = []
    for _ in range(5):
        start, number = process_time(), 0
        for step in range(1_000_000):
            number += step * step % 7
        took.append(process_time() - start)
    return median(took)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next((text.partition(":")[2].strip() for text in lines if text.startswith("model name")), sys.platform)


def _row(found: Found) -> str:
    target = found.target
    bounds = f"{_bound(found, target.floor)} | {_bound(found, target.aim)}"
    if found.trouble:
        return f"| `{target.name}` | {target.says} | | {bounds} | | | | {found.result.replace('|', '/')} |"
    ours = amount(median(found.measured), target.unit)
    peer = amount(median(found.peer), target.unit) if found.peer else ""
    return (
        f"| `{target.name}` | {target.says} | {_figure(found)} | {bounds} | {found.noise:.0%} "
        f"| {ours} | {peer} | {found.result} |"
    )


def _figure(found: Found) -> str:
    return _bound(found, found.figure)


def _bound(found: Found, value: float) -> str:
    if found.target.figure in (Figure.RATIO, Figure.SPEEDUP):
        return f"{value:.2f}×"
    return amount(value, found.target.unit)


def amount(value: float, unit: str) -> str:
    """A measurement with three digits: seconds by their prefix, bytes in MiB, anything else as it is."""
    if unit == "B":
        return f"{value / _MEBIBYTE:.1f} MiB"
    if unit != "s" or not value:
        return f"{value:.3g} {unit}".strip()
    scale, prefix = next((row for row in _PREFIXES if abs(value) >= row[0]), _PREFIXES[-1])
    return f"{value / scale:.3g} {prefix}s"
