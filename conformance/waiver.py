"""Waivers: data that excuses known deviations, strict both ways.

An entry that has expired, matches no case, names versions that cannot be compared, or excuses a case that passes is
red.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from conformance.case_id import matches
from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import line_of
from conformance.product import Product

CANN = "cann"
"""Fact by which a runner states the version of CANN that it judges."""


class WaiverKind(Enum):
    """What an entry does to the cases it selects."""

    SKIP = "skip"
    XFAIL = "xfail"
    FLAKY = "flaky"
    WAIVER = "waiver"


class Waivable(Protocol):
    """What an entry looks at of a case."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def facets(self) -> frozenset[str]:
        """The words it can be picked by."""
        ...


@dataclass(frozen=True, slots=True)
class Named:
    """A case of which only id and facets are known, as a record has it."""

    id: str
    facets: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Setting:
    """What is judged, and on which day; ``cann`` is empty where the runner states no version."""

    product: Product
    today: date
    cann: str = ""

    def has(self, versions: SpecifierSet) -> bool | None:
        """Whether the version is in a range; None where there is none, or one that cannot be compared."""
        try:
            return versions.contains(Version(self.cann), prereleases=True)
        except InvalidVersion:
            return None


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry. A case is meant if any selector picks it and it has every facet; no selectors pick all.

    ``products`` and ``cann`` None mean every one; ``where`` is for messages.
    """

    select: tuple[str, ...]
    kind: WaiverKind
    reason: str
    url: str
    owner: str
    expires: date
    products: frozenset[str] | None
    where: Location
    facets: frozenset[str] = frozenset()
    cann: SpecifierSet | None = None
    since: date | None = None

    def selects(self, case: Waivable) -> bool:
        """Whether a case is meant, whatever is judged."""
        return any(matches(selector, case.id) for selector in self.select or ("*",)) and self.has_facets(case)

    def has_facets(self, case: Waivable) -> bool:
        """Whether a case has every facet; its own are looked at only where some are wanted, since that may be slow."""
        return not self.facets or self.facets <= case.facets

    def is_for(self, setting: Setting) -> bool:
        """Whether it is about what is judged."""
        right_product = self.products is None or setting.product.name in self.products
        return right_product and (self.cann is None or setting.has(self.cann) is True)

    @property
    def term(self) -> str:
        """From when until when."""
        return f"since {self.since} until {self.expires}" if self.since else f"until {self.expires}"


def parse_waivers(document: Mapping[str, Any], text: str, path: Path) -> tuple[Waiver, ...]:
    """Entries of a document that keeps the waiver schema; raises InvalidData for impossible dates or versions."""
    pointers = [f"/entries/{i}" for i in range(len(document["entries"]))]
    return tuple(
        _parse(entry, Location(path, line_of(text, pointer), pointer))
        for entry, pointer in zip(document["entries"], pointers, strict=True)
    )


def _parse(entry: Mapping[str, Any], where: Location) -> Waiver:
    expires = _date(entry, "expires", where)
    since = _date(entry, "since", where) if "since" in entry else None
    if since is not None and since > expires:
        raise InvalidData([Problem(where, f"since {since} is after expires {expires}", "exchange or correct them")])
    select = entry.get("select", [])
    return Waiver(
        select=(select,) if isinstance(select, str) else tuple(select),
        kind=WaiverKind(entry["kind"]),
        reason=entry["reason"],
        url=entry["url"],
        owner=entry["owner"],
        expires=expires,
        products=frozenset(entry["products"]) if "products" in entry else None,
        where=where,
        facets=frozenset(entry.get("facets", ())),
        cann=_versions(entry["cann"], where) if "cann" in entry else None,
        since=since,
    )


def _date(entry: Mapping[str, Any], key: str, where: Location) -> date:
    try:
        return date.fromisoformat(entry[key])
    except ValueError as error:
        raise InvalidData([Problem(where, f"{key}: {error}", "write YYYY-MM-DD")]) from None


def _versions(text: str, where: Location) -> SpecifierSet:
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        raise InvalidData([Problem(where, f"cann: {text!r} is no range of versions", 'write ">=8.0,<8.3"')]) from None


def waiver_for(waivers: Sequence[Waiver], case: Waivable, setting: Setting) -> Waiver | None:
    """First entry in force that selects a case."""
    for waiver in waivers:
        if waiver.expires >= setting.today and waiver.is_for(setting) and waiver.selects(case):
            return waiver
    return None


def stale_waivers(waivers: Sequence[Waiver], cases: Iterable[Waivable], setting: Setting) -> list[Problem]:
    """Entries that cannot do what they are for; ``cases`` are all of the suite's."""
    known = list(cases)
    return [Problem(waiver.where, *why) for waiver in waivers for why in _why_stale(waiver, known, setting)]


def _why_stale(waiver: Waiver, known: Sequence[Waivable], setting: Setting) -> list[tuple[str, str]]:
    """What is wrong with an entry, and what to do about it."""
    if waiver.expires < setting.today:
        return [(f"expired on {waiver.expires}", "renew it or remove it")]
    if waiver.since is not None and waiver.since > setting.today:
        return [(f"is known only since {waiver.since}, which is to come", "correct the date")]
    if waiver.products is not None and setting.product.name not in waiver.products:
        return []
    if waiver.cann is not None and not setting.has(waiver.cann):
        return _why_unlike(waiver.cann, setting)
    able = [case for case in known if waiver.has_facets(case)]
    if not waiver.select:
        return [] if able else [(f"no case has {_words(waiver.facets)}", "remove it")]
    having = f" that has {_words(waiver.facets)}" if waiver.facets else ""
    idle = [one for one in waiver.select if not any(matches(one, case.id) for case in able)]
    return [(f"{selector!r} matches no case{having}", "remove it") for selector in idle]


def _why_unlike(versions: SpecifierSet, setting: Setting) -> list[tuple[str, str]]:
    """An entry for other versions is none of our business; one that cannot be compared is."""
    if setting.has(versions) is not None:
        return []
    stated = f"{setting.cann!r}, which is no version" if setting.cann else "no version of CANN"
    return [(f"cann {str(versions)!r} cannot be compared: the runner states {stated}", f"mend its fact {CANN!r}")]


def digest_of_waivers(waivers: Iterable[Waiver]) -> str:
    """SHA-256 over all that entries say, wherever they stand."""
    said = (
        [*w.select, *sorted(w.facets), w.kind.value, *sorted(w.products or ()), str(w.cann), w.reason, w.url, w.term]
        for w in waivers
    )
    return hashlib.sha256(json.dumps(sorted(said)).encode()).hexdigest()


def _words(facets: Iterable[str]) -> str:
    return " and ".join(sorted(facets))
