"""Which groups of cases find which catalogued faults, from the file that ``faults --all-groups`` writes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.errors import InvalidRecord


def read_faults(path: Path) -> Mapping[str, Any]:
    """What the command ``faults`` wrote; raises InvalidRecord for anything else."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidRecord(f"{path}: cannot be read: {reason}; `faults --all-groups` writes it") from None
    if not isinstance(document, dict) or not {"faults", "groups"} <= document.keys():
        raise InvalidRecord(f"{path}: was not written by `faults --all-groups`")
    return document


def fault_lines(document: Mapping[str, Any], apis: Sequence[str] = ()) -> Iterator[str]:
    """One line a group: how many faults its cases find, of which classes, and how many no other group finds."""
    classes = {fault["id"]: fault["class"] for fault in document["faults"]}
    groups: Mapping[str, list[str]] = document["groups"]
    finders = Counter(fault for found in groups.values() for fault in found)
    for group, found in groups.items():
        if apis and not any(f".{api}." in group for api in apis):
            continue
        alone = sum(finders[fault] == 1 for fault in found)
        words = ", ".join(f"{name} {count}" for name, count in Counter(classes[fault] for fault in found).most_common())
        yield f"{group}: {len(found)} faults, {alone} found by it alone ({words})"
