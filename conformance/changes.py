"""What changed between two records: verdicts, margins, cases, surroundings, time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from conformance.case_id import name_of
from conformance.ending import complaints_of
from conformance.record import Record
from conformance.verdict import Verdict

Line = Mapping[str, Any]
_SLOWER = 1.5
"""Factor from which an API counts as slower or faster; a run on a shared machine varies by less."""
_LEAST_SECONDS = 0.05
"""APIs that took less than this in both runs are not timed."""


class Change(Enum):
    """What became of a case."""

    REGRESSION = "regression"
    REPAIR = "repair"
    OTHER = "other verdict"
    MARGIN = "lost half of its margin"
    RECAST = "recast"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Changed:
    """One case that differs; ``before`` or ``after`` is None where only one record has it."""

    kind: Change
    name: str
    before: Line | None
    after: Line | None


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds that the cases of one API took that both records have, where they differ by much."""

    api: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that differs; ``common`` is how many cases both records have. ``surroundings`` is name, then, now.

    ``complaints`` make the later run red beside its cases and did not make the earlier one so, ``settled`` the reverse.
    """

    common: int
    cases: tuple[Changed, ...]
    timings: tuple[Timing, ...]
    surroundings: tuple[tuple[str, str, str], ...]
    complaints: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()

    def of(self, kind: Change) -> list[Changed]:
        """Cases that differ in that way."""
        return [changed for changed in self.cases if changed.kind is kind]


def changes_between(before: Record, after: Record) -> Changes:
    """Compare two records case by case. A case whose content changed has another id: it is recast, not compared."""
    old, new = _by_id(before.lines), _by_id(after.lines)
    common = [case_id for case_id in old if case_id in new]
    kinds = ((_kind(old[case_id], new[case_id]), case_id) for case_id in common)
    changed = [Changed(kind, case_id, old[case_id], new[case_id]) for kind, case_id in kinds if kind is not None]
    alone = list(_alone(old, new))
    order = list(Change)
    was, now = complaints_of(before), complaints_of(after)
    return Changes(
        len(common),
        tuple(sorted([*changed, *alone], key=lambda one: order.index(one.kind))),
        tuple(_timings(old, new, common)),
        tuple(_surroundings(before.header, after.header)),
        tuple(text for text in now if text not in was),
        tuple(text for text in was if text not in now),
    )


def _by_id(lines: Iterable[Line]) -> dict[str, Line]:
    return {line["id"]: line for line in lines}


def _kind(old: Line, new: Line) -> Change | None:
    was, now = Verdict(old["verdict"]), Verdict(new["verdict"])
    if was.is_red != now.is_red:
        if now.is_red:
            return Change.REGRESSION
        return Change.REPAIR if now.was_executed else Change.OTHER
    if was is not now or old.get("side") != new.get("side") or _ending(old) != _ending(new):
        return Change.OTHER
    return Change.MARGIN if now is Verdict.PASSED and _lost_half(old, new) else None


def _ending(line: Line) -> str | None:
    """How the call ended: a case that failed and now crashes is no longer the same."""
    outcome: Mapping[str, str] = line.get("outcome") or {}
    return outcome.get("kind")


def _lost_half(old: Line, new: Line) -> bool:
    before, after = (1 - headroom_of(line) for line in (old, new))
    return after < before / 2


def headroom_of(line: Line) -> float:
    """Worst error ÷ limit of a case; 0 where nothing was measured."""
    return float(line.get("headroom") or 0)


def _alone(old: Mapping[str, Line], new: Mapping[str, Line]) -> Iterator[Changed]:
    gone = {name_of(case_id): line for case_id, line in old.items() if case_id not in new}
    added = {name_of(case_id): line for case_id, line in new.items() if case_id not in old}
    for name in gone.keys() & added.keys():
        yield Changed(Change.RECAST, name, gone[name], added[name])
    yield from (Changed(Change.GONE, line["id"], line, None) for name, line in gone.items() if name not in added)
    yield from (Changed(Change.NEW, line["id"], None, line) for name, line in added.items() if name not in gone)


def _timings(old: Mapping[str, Line], new: Mapping[str, Line], common: Iterable[str]) -> Iterator[Timing]:
    seconds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for case_id in common:
        total = seconds[old[case_id]["api"]]
        total[0] += old[case_id]["seconds"]
        total[1] += new[case_id]["seconds"]
    for api, (before, after) in sorted(seconds.items()):
        low, high = sorted((before, after))
        if high > _LEAST_SECONDS and high > _SLOWER * low:
            yield Timing(api, before, after)


def _surroundings(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    old, new = _flat(before), _flat(after)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name) and name not in ("started", "environment.host"):
            yield name, old.get(name, "absent"), new.get(name, "absent")


def _flat(document: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in document.items():
        path = f"{prefix}{name}"
        found.update(_flat(value, f"{path}.") if isinstance(value, Mapping) else {path: str(value)})
    return found
