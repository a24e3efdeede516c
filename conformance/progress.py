"""Progress of a run on a terminal; silent where output is not one."""

from __future__ import annotations

from collections import Counter
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from conformance.verdict import Verdict

_SHOWN = (Verdict.PASSED, Verdict.FAILED, Verdict.UNSPECIFIED, Verdict.MISTRUSTED, Verdict.BROKEN)


class ProgressLine:
    """One live line: bar, counts by verdict, the case at hand."""

    def __init__(self, console: Console, total: int) -> None:
        self._counts: Counter[Verdict] = Counter()
        self._progress = Progress(
            TextColumn("[bold]{task.fields[counts]}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("run", total=total, counts="starting")

    def advance(self, verdict: Verdict) -> None:
        """Count one finished case."""
        if self._progress.disable:
            return
        self._counts[verdict] += 1
        shown = "  ".join(f"{v.value} {self._counts[v]}" for v in _SHOWN if self._counts[v])
        self._progress.update(self._task, advance=1, counts=shown or "skipping")

    def __enter__(self) -> ProgressLine:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
