"""Whose file it is, by how it begins; light enough for every pytest run to ask."""

from __future__ import annotations

import re
from pathlib import Path

ATK, TTK, MSOPST = "atk", "ttk", "msopst"
_CONTRACT = "contract.json"
_LENGTH = 4096
_MARK = b"\xef\xbb\xbf"
_OURS = re.compile(rb'\{\s*"\$schema"\s*:\s*"[^"]*cases-1\.schema\.json"')
_COLUMNS = (b"testcase_name", b"op_name")
"""Columns that the header of TTK's tables has."""
_KEYS = {ATK: (b'"aclnn_name"', b'"api_type"', b'"range_values"'), MSOPST: (b'"input_desc"', b'"output_desc"')}
"""Suite → keys, one of which stands in the first object of its JSON lists."""

_TABLE = ".csv"
_PATTERNS = {ATK: ("*aclnn*.json", "atk_*.json"), MSOPST: ("*.json",), TTK: (f"*{_TABLE}",)}
"""Suite → names that its files have in folders."""
SUFFIXES = frozenset((".json", _TABLE))
"""Endings that files of other suites have."""
_TELLING = {ATK: ("atk_*.json", "*_atk_*.json", "all_aclnn*.json"), MSOPST: ("msopst_*.json",), TTK: ("ttk_*.csv",)}
"""Suite → names that no other file has, so that a file of that name which does not begin as it should is broken."""


def suite_of(path: Path) -> str:
    """The suite whose case file it is; "" where it is none, or cannot be read."""
    begun = _head(path)
    if path.suffix == _TABLE:
        return TTK if all(column in begun.partition(b"\n")[0] for column in _COLUMNS) else ""
    return _suite_of_list(begun) if begun.startswith(b"[") else ""


def is_foreign(path: Path) -> bool:
    """Whether a file begins as those of another suite do, should, or is a table, which no file of this suite is."""
    return bool(suite_of(path) or broken_of(path)) or (path.suffix == _TABLE and not path.is_dir())


def broken_of(path: Path) -> str:
    """The suite whose file it is by its name alone; "" where it begins as some suite's, or is no file."""
    suite = next((suite for suite, names in _TELLING.items() if any(path.match(name) for name in names)), "")
    if not suite or suite_of(path) or not path.is_file():
        return ""
    # Files that were imported keep their names: they begin as ours, or a contract lies beside.
    return "" if begins_as_cases(path) or (path.parent / _CONTRACT).is_file() else suite


def reader_of(path: Path) -> str:
    """The suite as whose a file that was named is read: whose it is, or else the one that has files of its ending."""
    return suite_of(path) or broken_of(path) or (TTK if path.suffix == _TABLE else ATK)


def lies_in_folder(path: Path) -> bool:
    """Whether a file that nobody named is another suite's: by its name and how it begins, or by a telling name."""
    if path.suffix not in SUFFIXES:
        return False
    suite = suite_of(path)
    return any(path.match(name) for name in _PATTERNS[suite]) if suite else bool(broken_of(path))


def begins_as_cases(path: Path) -> bool:
    """Whether it is a case file of this suite: an object that names their schema first."""
    return _OURS.match(_head(path)) is not None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LENGTH).removeprefix(_MARK).lstrip(b" \t\r\n")
    except OSError:
        return b""


def _suite_of_list(head: bytes) -> str:
    return next((suite for suite, keys in _KEYS.items() if any(key in head for key in keys)), "")
