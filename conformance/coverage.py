"""Every cell that contracts declare with the cases that cover it, and what became of them in records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from conformance.case import Case
from conformance.cells import Cell, declared_cells, reason_against
from conformance.contract import Contract
from conformance.covered import covered_cells, kept_by

Run = tuple[str, str]
"""Id of a case and the product it was run as."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Runs that some records hold: those executed, and those that a verdict made red."""

    executed: frozenset[Run] = frozenset()
    red: frozenset[Run] = frozenset()


@dataclass(frozen=True, slots=True)
class Covered:
    """One declared cell: why it has no case, if the contract says so, and its cases.

    ``executed`` counts runs in records, on the cell's product where it has one; ``red`` those among them that are red.
    """

    cell: Cell
    reason: str
    ids: tuple[str, ...]
    executed: int = 0
    red: int = 0

    @property
    def is_gap(self) -> bool:
        """Whether nothing covers the cell and nothing says why."""
        return not self.ids and not self.reason

    @property
    def passed(self) -> bool:
        """Whether something was executed and nothing of it is red."""
        return self.executed > 0 and not self.red


def coverage_of(contract: Contract, cases: Iterable[Case], answers: Answers | None = None) -> list[Covered]:
    """Cells of one contract, covered by those of ``cases`` that are of its API."""
    own = [case for case in cases if case.contract.api == contract.api]
    ids = _ids_by_cell(own)
    runs: Mapping[str, list[Run]] = _by_id(answers.executed) if answers else {}
    red = answers.red if answers else frozenset()
    return [_covered(cell, reason_against(contract, cell), ids[cell], runs, red) for cell in declared_cells(contract)]


def stale_reasons(contract: Contract, rows: Iterable[Covered]) -> Iterator[str]:
    """Patterns of the contract's untested cells that meet no declared cell without a case."""
    bare = [str(row.cell) for row in rows if not row.ids]
    for entry in contract.untested_cells:
        if not any(entry.covers(cell) for cell in bare):
            yield entry.cell


def _covered(
    cell: Cell, reason: str, ids: Iterable[str], runs: Mapping[str, list[Run]], red: frozenset[Run]
) -> Covered:
    found = tuple(dict.fromkeys(ids))
    executed = [run for one in found for run in runs.get(one, ()) if cell.product in (None, run[1])]
    return Covered(cell, reason, found, len(executed), sum(run in red for run in executed))


def _ids_by_cell(cases: list[Case]) -> defaultdict[Cell, list[str]]:
    found: defaultdict[Cell, list[str]] = defaultdict(list)
    refusals = [case for case in cases if case.control]
    for case in cases:
        for cell in (*covered_cells(case), *kept_by(case, refusals)):
            found[cell].append(case.id)
    return found


def _by_id(runs: Iterable[Run]) -> Mapping[str, list[Run]]:
    found: dict[str, list[Run]] = defaultdict(list)
    for run in sorted(runs):
        found[run[0]].append(run)
    return found
