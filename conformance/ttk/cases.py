"""One TTK file → its cases. A case that cannot be run is there all the same, and says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from conformance.case_id import content_digest
from conformance.errors import InvalidData, InvalidSpec, Location, Problem
from conformance.foreign.build import Stated, Unbuilt, label_in_id
from conformance.foreign.calls import StatedCall, fit
from conformance.foreign.heads import TTK
from conformance.foreign.outlook import NAMELESS, UNREADABLE, Outlook, Outlooks, outlook_of
from conformance.select import Limits
from conformance.ttk.read import parse_row
from conformance.ttk.table import Row, read_table

STANDARD = "cann_mixed"
"""TTK compares so unless its command line says otherwise; no row says how."""


Entry = tuple[StatedCall, Row]


def ttk_cases(path: Path) -> tuple[list[Unbuilt], list[Problem]]:
    """Cases of a file, and the problems of rows that cannot be read; raises InvalidData where none can."""
    cases: list[Unbuilt] = []
    problems: list[Problem] = []
    seen: Counter[str] = Counter()
    for one in entries(path):
        if isinstance(one, Problem):
            problems.append(one)
            continue
        read, (line, cells) = one
        digest = content_digest(cells)
        seen[digest] += 1
        cases.append(_case(read, line, cells, path, seen[digest]))
    return cases, problems


def entries(path: Path) -> Iterator[Entry | Problem]:
    """Each row of a file as read and as written, or why it cannot be read; raises InvalidData where there is none."""
    empty = True
    for row in read_table(path):
        empty = False
        if isinstance(row, Problem):
            yield row
            continue
        line, cells = row
        try:
            yield parse_row(cells, path), row
        except InvalidSpec as error:
            yield Problem(Location(path, line, error.pointer), str(error), error.advice)
    if empty:
        raise InvalidData([Problem(Location(path), "the file holds no case", "write a row below the header")])


def _case(read: StatedCall, line: int, cells: Mapping[str, str], path: Path, time: int) -> Unbuilt:
    """The case of a row; a row that stands in the file once more is another case with other data."""
    content = [cells] if time == 1 else [cells, time]
    stated = Stated(
        suite=TTK,
        path=path,
        api=read.api,
        labels=(label_in_id(read.name), *[f"again{time}"] * (time > 1)),
        about=f"line {line} of {path.name}" + (f", {read.name}" if read.name else ""),
        content=content,
        seed=int(content_digest(content)[:8], 16),
        standard=STANDARD,
    )
    return Unbuilt(stated, partial(fit, read))


def ttk_outlooks(path: Path, limits: Limits) -> Outlooks:
    """What would become of the cases of a file, by line; raises InvalidData where it holds none."""
    found: Outlooks = {}
    for one in entries(path):
        if isinstance(one, Problem):
            found.setdefault(Outlook(NAMELESS, UNREADABLE, one.what), []).append(one.where.line)
        else:
            read, (line, _) = one
            found.setdefault(outlook_of(read, limits), []).append(line)
    return found
