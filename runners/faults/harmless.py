"""Reasons why a fault of the catalogue is none on an API: one data file an API, ``harmless/<name>.json``.

``{"api": "aclnnX", "harmless": {"<fault>": "<reason>"}}``: what the fault builds there is admissible all the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "harmless"


@cache
def load_harmless(folder: Path = FOLDER) -> Mapping[str, Mapping[str, str]]:
    """Fault id → API → why it is none there."""
    reasons: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        for fault, reason in document["harmless"].items():
            reasons.setdefault(fault, {})[document["api"]] = reason
    return reasons
