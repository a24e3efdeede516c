"""Prints a sweep: one row a variant, cases that passed by API, alarms and the worst headroom."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from conformance.errors import ConformanceError
from runners.variants.catalogue import VARIANTS
from runners.variants.sweep import Findings, parts_of, sweep

RED, GREEN = 1, 0
_MOST_ALARMS = 100


class UnknownVariant(ConformanceError):
    """A name that the catalogue lacks."""


def print_sweep(
    variants: Sequence[str] | None, products: Sequence[str], standard: str, selectors: Sequence[str], jobs: int
) -> int:
    """Run and print; 1 when there is an alarm or nothing was executed, else 0."""
    names = list(variants or VARIANTS)
    unknown = [name for name in names if name not in VARIANTS]
    if unknown:
        raise UnknownVariant(f"unknown variant {', '.join(unknown)}; variants are {', '.join(VARIANTS)}")
    console, findings = Console(), Findings()
    parts = parts_of(names, products, standard, selectors, jobs)
    with console.status("") as status:
        for number, found in enumerate(sweep(parts, jobs), 1):
            findings.merge(found)
            status.update(f"{number} of {len(parts)} parts, {len(findings.alarms)} alarms")
    console.print(table_of(findings, names))
    _print_alarms(console, findings)
    return RED if findings.alarms or not findings.executed else GREEN


def table_of(findings: Findings, names: Sequence[str]) -> Table:
    """Cases that passed by variant and API; cases that are unspecified or skipped are not in the table."""
    apis = sorted({api for _, api, _ in findings.counts})
    table = Table(box=None, pad_edge=False)
    for title in ("variant", *(api.removeprefix("aclnn") for api in apis), "alarms", "error ÷ limit"):
        first = title == "variant"
        table.add_column(title, justify="left" if first else "right", no_wrap=first)
    for name in names:
        passed = [str(findings.counts[name, api, "passed"] or "·") for api in apis]
        alarms = sum(alarm.variant == name for alarm in findings.alarms)
        table.add_row(name, *passed, str(alarms or "·"), f"{findings.headroom.get(name, 0.0):.2f}")
    return table


def _print_alarms(console: Console, findings: Findings) -> None:
    for alarm in findings.alarms[:_MOST_ALARMS]:
        console.print(str(alarm), markup=False, highlight=False, soft_wrap=True)
    if len(findings.alarms) > _MOST_ALARMS:
        console.print(f"… {len(findings.alarms) - _MOST_ALARMS} more")
    console.print(f"{findings.executed} cases run, {len(findings.alarms)} alarms")
