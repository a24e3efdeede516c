"""Where the case data lies: the checkout's ``cases/``, or the copy that the wheel carries."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """Folder that holds ``schemas/``, ``standards.json`` and the case files."""
    checkout = _PACKAGE.parent / "cases"
    return checkout if (checkout / "schemas").is_dir() else _PACKAGE / "_data" / "cases"
