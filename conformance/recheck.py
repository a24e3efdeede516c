"""Verdicts of a record made again from what it holds, by the same standard or by another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from conformance.ending import complaints_of
from conformance.garbage import collected_later
from conformance.judgeable import Judgeable
from conformance.load import load_standards
from conformance.product import PRODUCTS
from conformance.recall import observation_of
from conformance.record import Record
from conformance.standard import Standard
from conformance.verdict import Judged, Verdict, excuse, judge
from conformance.waiver import CANN, Setting, Waiver, digest_of_waivers, waiver_for


@dataclass(frozen=True, slots=True)
class Rejudged:
    """One line of a record with the verdict made again from it, and the waiver in force that selects its case."""

    line: Mapping[str, Any]
    now: Judged
    waiver: Waiver | None = None

    @property
    def was(self) -> Verdict:
        """The verdict that the record states."""
        return Verdict(self.line["verdict"])

    @property
    def is_changed(self) -> bool:
        """Whether the verdict differs."""
        return self.was is not self.now.verdict


@dataclass(frozen=True, slots=True)
class Recheck:
    """A record judged again; ``unknown`` are ids that no case of the suite has, which nothing can judge again."""

    standard: Standard
    rejudged: tuple[Rejudged, ...]
    unknown: tuple[str, ...]

    @property
    def changed(self) -> tuple[Rejudged, ...]:
        """Those with another verdict than the record states."""
        return tuple(one for one in self.rejudged if one.is_changed)

    @property
    def counts(self) -> Counter[Verdict]:
        """Cases by the new verdict."""
        return Counter(one.now.verdict for one in self.rejudged)


def setting_of(record: Record, today: date) -> Setting:
    """What a record judges, for waivers in force on a day."""
    facts = record.header["runner"]["facts"]
    return Setting(PRODUCTS[record.header["product"]], today, str(facts.get(CANN, "")))


def recheck(
    record: Record,
    cases: Mapping[str, Judgeable],
    standard: Standard,
    waivers: Sequence[Waiver],
    today: date,
    of_every_case: bool = True,
) -> Recheck:
    """Judge every line again; cases that were not run keep their verdict. Raises InvalidRecord for a broken line.

    Unless the standard is that ``of_every_case``, cases whose file asks for one are judged by that.
    """
    theirs = {} if of_every_case else load_standards()
    setting = setting_of(record, today)
    rejudged, unknown = [], []
    with collected_later():
        for line in record.lines:
            case = cases.get(line["id"])
            if case is None:
                unknown.append(line["id"])
                continue
            judged = _judged_again(line, case, theirs.get(case.standard, standard))
            waiver = waiver_for(waivers, case, setting)
            rejudged.append(Rejudged(line, excuse(judged, waiver), waiver))
    return Recheck(standard, tuple(rejudged), tuple(unknown))


def _judged_again(line: Mapping[str, Any], case: Judgeable, standard: Standard) -> Judged:
    seen = observation_of(line, case)
    if seen is None:
        return Judged(Verdict(line["verdict"]), line["reason"])
    return judge(case.expectation, seen, standard)


def left_out(record: Record, waivers: Sequence[Waiver], data: str) -> Iterator[str]:
    """What the verdicts made again do not take into account; ``data`` is the digest of this suite's case data."""
    yield from (f"not judged again: {text}" for text in complaints_of(record))
    idle = Counter(line["verdict"] for line in record.lines if "outcome" not in line)
    if idle:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in idle.most_common())
        yield f"verdicts kept of cases of which nothing was seen: {counts}"
    if record.header["data"] != data:
        made = record.header["data"][:12]
        yield f"the record was made with other case data ({made}): expectations are those of this suite ({data[:12]})"
    if record.header.get("terms", {}).get("waivers") != (digest_of_waivers(waivers) if waivers else None):
        yield "the run had other waivers than those given"
