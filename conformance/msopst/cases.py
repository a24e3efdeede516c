"""One msopst file → its cases, one for each combination. A case that cannot be run is there and says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from conformance.case_id import content_digest
from conformance.errors import InvalidSpec, Location, Problem
from conformance.foreign.build import Stated, Unbuilt, label_in_id
from conformance.foreign.calls import StatedCall, fit
from conformance.foreign.heads import MSOPST
from conformance.foreign.lists import read_list
from conformance.foreign.outlook import NAMELESS, UNREADABLE, Outlook, Outlooks, outlook_of
from conformance.json_text import place_of
from conformance.msopst.read import parse_case
from conformance.select import Limits

STANDARD = "cann_mixed"
"""Both msopst's threshold and this standard allow some elements to be wrong; there is none that is nearer."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One call of a case: the case's place in the file, the case as written, which of how many combinations it is."""

    place: int
    written: Any
    read: StatedCall
    number: int
    of: int


def msopst_cases(path: Path) -> tuple[list[Unbuilt], list[Problem]]:
    """Cases of a file, and the problems of those that cannot be read; raises InvalidData where none can."""
    cases: list[Unbuilt] = []
    problems: list[Problem] = []
    seen: Counter[str] = Counter()
    for one in entries(path):
        if isinstance(one, Problem):
            problems.append(one)
            continue
        digest = content_digest([one.written, one.number])
        seen[digest] += 1
        cases.append(_case(one, path, seen[digest]))
    return cases, problems


def entries(path: Path) -> Iterator[Entry | Problem]:
    """Each call that the file states, or why its case cannot be read; raises InvalidData where the file holds none."""
    for place, written in enumerate(read_list(path)):
        try:
            calls = parse_case(written, path)
        except InvalidSpec as error:
            text = path.read_text(encoding="utf-8", errors="replace")
            where = Location(path, *place_of(text, f"/{place}{error.pointer}"))
            yield Problem(where, str(error), error.advice)
            continue
        for number, read in enumerate(calls):
            yield Entry(place, written, read, number, len(calls))


def _case(entry: Entry, path: Path, time: int) -> Unbuilt:
    """The case of a call; one that stands in the file once more is another case with other data."""
    read = entry.read
    content = [entry.written, *[entry.number] * (entry.of > 1), *[time] * (time > 1)]
    numbered = [f"{entry.number + 1}of{entry.of}"] * (entry.of > 1) + [f"again{time}"] * (time > 1)
    which = f", {entry.number + 1} of {entry.of}" if entry.of > 1 else ""
    stated = Stated(
        suite=MSOPST,
        path=path,
        api=read.api,
        labels=(label_in_id(read.name), *numbered),
        about=f"case {entry.place} of {path.name}" + (f", {read.name}" if read.name else "") + which,
        content=content,
        seed=int(content_digest(content)[:8], 16),
        standard=STANDARD,
    )
    return Unbuilt(stated, partial(fit, read))


def msopst_outlooks(path: Path, limits: Limits) -> Outlooks:
    """What would become of the cases of a file, by place; raises InvalidData where it holds none."""
    found: Outlooks = {}
    for place, written in enumerate(read_list(path)):
        try:
            outlooks = [outlook_of(call, limits) for call in parse_case(written, path)]
        except InvalidSpec as error:
            outlooks = [Outlook(NAMELESS, UNREADABLE, str(error))]
        for outlook in outlooks:
            found.setdefault(outlook, []).append(place)
    return found
