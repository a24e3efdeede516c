"""What the user says of how other suites' files are read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileOptions:
    """Of that share of ATK's cases every tensor lies with gaps; ``trust`` lets ATK's executor scripts run."""

    slice_ratio: float = 0.0
    trust: bool = False


PLAIN = FileOptions()
"""Files as they are; no script is run."""
