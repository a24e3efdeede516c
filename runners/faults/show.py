"""Runs a hunt and tells what came of it: table, missed faults, JSON, a page of the documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from conformance.card import DEFAULT
from conformance.load import contracts_named
from conformance.tier import SMOKE, load_smoke
from conformance.writing import require_place, write_text
from runners.faults.catalogue import choose
from runners.faults.fault import EVERYWHERE, Fault, Scope
from runners.faults.hunt import Catch, cases_of, group_of, hunt, tasks_of
from runners.faults.page import page
from runners.faults.score import Row, Score, as_json, by_class, by_difficulty, scores_of, total, why_red
from runners.faults.smoke import smoke_cases, write_smoke

RED, GREEN = 1, 0
REPORT = Path("build/faults.json")


@dataclass(frozen=True, slots=True)
class Request:
    """What to hunt, over which cases, and what to write."""

    faults: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    scope: Scope = EVERYWHERE
    tier: str = DEFAULT
    jobs: int = 1
    all_groups: bool = False
    smoke: bool = False
    markdown: Path | None = None


def list_faults(request: Request) -> int:
    """Print the faults asked for, without running anything."""
    for fault in choose(request.faults, request.classes):
        print(f"{fault.kind.value:<15} {fault.difficulty.value:<7} {fault.id:<36} {fault.about} [{fault.source}]")
    return GREEN


def run_hunt(request: Request) -> int:
    """Hunt, print and write; 1 when the aim is not met, else 0."""
    faults = choose(request.faults, request.classes)
    contracts_named(request.scope.apis)
    for path in filter(None, [REPORT, request.markdown]):
        require_place(path)
    console = Console()
    catches = _hunt(console, faults, request)
    scores = scores_of(faults, catches, request.scope)
    _print(console, scores, request)
    write_text(REPORT, json.dumps(as_json(scores), ensure_ascii=False, indent=1) + "\n")
    if request.markdown is not None:
        write_text(request.markdown, page(scores))
    if request.smoke:
        with console.status("every case against every fault"):
            names = smoke_cases(faults, catches, request.jobs)
        console.print(f"{write_smoke(names)}: {len(names)} cases")
    complaints = why_red(scores, request.tier)
    for complaint in complaints:
        console.print(complaint, markup=False, highlight=False)
    return RED if complaints else GREEN


def _hunt(console: Console, faults: Sequence[Fault], request: Request) -> list[Catch]:
    names = load_smoke() if request.tier == SMOKE else frozenset()
    tasks = tasks_of(faults, request.scope, names, "group" if request.all_groups else "")
    catches: list[Catch] = []
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("hunting", total=sum(len(task.faults) for task in tasks))
        for task, found in hunt(tasks, request.jobs):
            catches += found
            progress.update(bar, advance=len(task.faults))
    return catches


def _print(console: Console, scores: Sequence[Score], request: Request) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("class", "faults", "caught", "missed", "not applicable", "implementations", "found"):
        table.add_column(title, justify="left" if title == "class" else "right")
    for row in (*by_class(scores), *by_difficulty(scores), total(scores)):
        table.add_row(*_cells(row))
    console.print(table)
    for score in scores:
        for api, product in score.missed:
            fault = score.fault
            line = f"missed: {fault.id} ({fault.difficulty.value}) in {api} on {product}: {fault.about}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    if request.all_groups:
        _print_idle(console, scores)


def _cells(row: Row) -> list[str]:
    counts = (row.faults, row.caught, row.missed, row.not_applicable, row.implementations, row.found)
    return [row.name, *(str(count or "·") for count in counts)]


def _print_idle(console: Console, scores: Sequence[Score]) -> None:
    """Groups in which no fault shows: either their fault class is not in the catalogue, or they earn nothing."""
    busy = {catch.group for score in scores for found in score.catches.values() for catch in found}
    apis = {api for score in scores for api, _ in score.places}
    idle = sorted({group_of(case.id) for api in apis for case in cases_of(api)} - busy)
    console.print(f"{len(busy)} groups catch some fault, {len(idle)} catch none:", highlight=False)
    for group in idle:
        console.print(f"  {group}", markup=False, highlight=False)
