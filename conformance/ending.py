"""What makes a run red beside its cases: it did not end, or it ended with complaints. No count of cases shows it."""

from __future__ import annotations

from conformance.record import Record

TRUNCATED = "the run did not end: the record has no footer"


def complaints_of(record: Record) -> list[str]:
    """Sentences; none where the cases tell everything."""
    return [TRUNCATED] if record.footer is None else list(record.complaints)
