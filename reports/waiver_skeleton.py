"""A waiver file to fill in, made from the red cases of a record: one entry for each kind of failure."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from conformance.record import Record, read_record
from reports.grouping import group_failures

_LASTS = timedelta(days=90)


def skeleton(record: Record, today: date) -> dict[str, Any]:
    """Document that keeps the waiver schema once reason, url and owner are true; entries end in 90 days."""
    return {
        "$schema": "waivers-1.schema.json",
        "entries": [
            {
                "select": list(group.ids),
                "kind": "waiver",
                "products": [record.header["product"]],
                "reason": f"TO BE WRITTEN: {group}",
                "url": "TO BE WRITTEN",
                "owner": "TO BE WRITTEN",
                "since": today.isoformat(),
                "expires": (today + _LASTS).isoformat(),
            }
            for group in group_failures(record)
        ],
    }


def print_waivers(path: Path, console: Console) -> None:
    """Print the waiver file that would excuse a record's failures."""
    text = json.dumps(skeleton(read_record(path), date.today()), indent=2, ensure_ascii=False)
    console.print(Text(text), soft_wrap=True)
