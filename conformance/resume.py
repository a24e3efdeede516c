"""Going on with the record of a run that was interrupted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.errors import InvalidRecord
from conformance.record import Record, read_record
from conformance.record_file import open_for_writing
from conformance.same_run import differences
from conformance.verdict import Verdict

_LOST = (Verdict.NOT_RUN.value, Verdict.BROKEN.value)


def empty(path: Path) -> None:
    """Remove what a file holds, so that no earlier record is taken for this run's; raises InvalidRecord."""
    open_for_writing(path).close()


def read_unfinished(path: Path) -> Record | None:
    """What a run that was interrupted has done; None if nothing. Raises InvalidRecord when nothing is left to do.

    Cases that were lost are left out: their process was killed, or the run stopped before them.
    """
    if not path.exists() or (path.is_file() and b"\n" not in path.read_bytes()):
        return None
    record = read_record(path)
    done = tuple(line for line in record.lines if not _was_lost(line))
    if record.footer is not None and len(done) == len(record.lines):
        raise InvalidRecord(f"{path}: its run ended, nothing is left to resume")
    return Record(path, record.header, done, None)


def require_same_run(record: Record, header: Mapping[str, Any]) -> None:
    """Raise InvalidRecord unless a run with this header may go on with the record."""
    found = list(differences(record.header, header))
    shares = [one.get("shard", {}) for one in (record.header, header)]
    found += [(f"shard's {key}", *(one.get(key) for one in shares)) for key in ("index", "of")]
    for name, was, now in found:
        if was != now:
            raise InvalidRecord(f"{record.path}: its {name} is {was}, now it would be {now}")


def _was_lost(line: Mapping[str, Any]) -> bool:
    return line["verdict"] in _LOST and "outcome" not in line
