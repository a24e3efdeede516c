"""Verdicts of a record made again from what it holds, by the same standard or by another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from conformance.case import Case
from conformance.garbage import collected_later
from conformance.load import load_standards
from conformance.product import PRODUCTS
from conformance.recall import observation_of
from conformance.record import Record
from conformance.standard import STRICT, Standard
from conformance.verdict import Judged, Verdict, excuse, judge
from conformance.waiver import CANN, Setting, Waiver, waiver_for


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
    record: Record, cases: Mapping[str, Case], standard: Standard, waivers: Sequence[Waiver], today: date
) -> Recheck:
    """Judge every line again; cases that were not run keep their verdict. Raises InvalidRecord for a broken line."""
    setting = setting_of(record, today)
    rejudged, unknown = [], []
    with collected_later():
        for line in record.lines:
            case = cases.get(line["id"])
            if case is None:
                unknown.append(line["id"])
                continue
            judged = _judged_again(line, case, standard)
            waiver = waiver_for(waivers, case, setting)
            rejudged.append(Rejudged(line, excuse(judged, waiver), waiver))
    return Recheck(standard, tuple(rejudged), tuple(unknown))


def _judged_again(line: Mapping[str, Any], case: Case, standard: Standard) -> Judged:
    seen = observation_of(line, case)
    if seen is None:
        return Judged(Verdict(line["verdict"]), line["reason"])
    own = load_standards().get(case.standard, standard) if standard.name == STRICT else standard
    return judge(case.expectation, seen, own)
