"""The record of a run whose lines arrive from several processes, in any order, with the header of each.

The first header begins the record; one that differs where it must not is a complaint, since its process is not like the
first. So the process that gathers needs no runner of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.record import Record, RecordWriter
from conformance.resume import require_same_run
from conformance.run import Tally
from conformance.same_run import differences
from conformance.waiver import CANN, Named

Line = Mapping[str, Any]
_KEPT = ("id", "api", "facets", "verdict", "reason", "again")
"""What is kept of a line once it is written."""


class Gathering:
    """Writes lines as they arrive. Not a value: it knows what has arrived."""

    def __init__(self, path: Path | None = None, before: Record | None = None) -> None:
        """Of a run that is recorded in ``path``, or not at all; it goes on with what was read ``before``."""
        self._path = path
        self._before = before
        self._writer: RecordWriter | None = None
        self._waiting: list[Line] = []
        self._complaints: dict[str, None] = {}
        self.header: Mapping[str, Any] | None = None
        self.lines: dict[str, dict[str, Any]] = {}
        for line in before.lines if before is not None else ():
            self._keep(line)

    def begin(self, header: Mapping[str, Any]) -> None:
        """Take the header of a process before its first line.

        Raises InvalidRecord when the record cannot go on with it or be written; nothing is written then.
        """
        if self.header is not None:
            self._compare(header)
            return
        self.header = header
        if self._before is not None:
            require_same_run(self._before, header)
        if self._path is not None:
            self._writer = RecordWriter(self._path, header, self._before)
        for line in self._waiting:
            self._write(line)

    def add(self, line: Line) -> None:
        """Take the line of a case; a case that is run again must get the same verdict."""
        known = self.lines.get(line["id"])
        if known is None:
            self._keep(line)
            self._write(line)
        elif known["verdict"] != line["verdict"]:
            self.complain(f"{line['id']} was run more than once: {known['verdict']}, then {line['verdict']}")

    def complain(self, complaint: str) -> None:
        """Note what makes the run red beside its cases."""
        self._complaints[complaint] = None

    def close(self, *, ended: bool, complaints: Iterable[str] = (), problems: Sequence[str] = ()) -> Tally:
        """Close the record, with a footer if the run ended that also carries problems of the data; what it came to."""
        for complaint in complaints:
            self.complain(complaint)
        if self._writer is not None:
            self._writer.close(ended=ended, complaints=tuple(dict.fromkeys([*self._complaints, *problems])))
        return Tally.of(self.lines.values(), self._complaints, problems)

    def named(self) -> list[Named]:
        """The cases that have arrived, as waivers look at them."""
        return [Named(line["id"], frozenset([line["api"], *line["facets"]])) for line in self.lines.values()]

    @property
    def is_written(self) -> bool:
        """Whether there is a record."""
        return self._writer is not None

    @property
    def cann(self) -> str:
        """The version of CANN that the runner states; empty where it states none."""
        return str(self.header["runner"]["facts"].get(CANN, "")) if self.header is not None else ""

    def _keep(self, line: Line) -> None:
        self.lines[line["id"]] = {key: line[key] for key in _KEPT if key in line}

    def _write(self, line: Line) -> None:
        if self.header is None:
            self._waiting.append(line)
        elif self._writer is not None:
            self._writer.add(line)

    def _compare(self, header: Mapping[str, Any]) -> None:
        """Whether another process of the run judges the same thing."""
        assert self.header is not None
        for name, ours, theirs in differences(self.header, header):
            host = header["environment"].get("host")
            self.complain(f"the processes of this run are not alike: {name} is {ours}, and {theirs} on {host}")
