"""Waivers: data that excuses known deviations, strict both ways.

An entry that has expired, matches no case, or excuses a case that passes is red.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any

from conformance.case_id import matches
from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import line_of
from conformance.product import Product


class WaiverKind(Enum):
    """What an entry does to the cases it selects."""

    SKIP = "skip"
    XFAIL = "xfail"
    FLAKY = "flaky"
    WAIVER = "waiver"


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry of one or more selectors; ``products`` None means every product, ``where`` is for messages."""

    select: tuple[str, ...]
    kind: WaiverKind
    reason: str
    url: str
    owner: str
    expires: date
    products: frozenset[str] | None
    where: Location

    def applies_to(self, case_id: str, product: Product) -> bool:
        """Whether it selects this case on this product."""
        return (self.products is None or product.name in self.products) and any(
            matches(selector, case_id) for selector in self.select
        )


def parse_waivers(document: Mapping[str, Any], text: str, path: Path) -> tuple[Waiver, ...]:
    """Entries of a document that keeps the waiver schema; raises InvalidData for an impossible date."""
    pointers = [f"/entries/{i}" for i in range(len(document["entries"]))]
    return tuple(
        _parse(entry, Location(path, line_of(text, pointer), pointer))
        for entry, pointer in zip(document["entries"], pointers, strict=True)
    )


def _parse(entry: Mapping[str, Any], where: Location) -> Waiver:
    try:
        expires = date.fromisoformat(entry["expires"])
    except ValueError as error:
        raise InvalidData([Problem(where, f"expires: {error}", "write YYYY-MM-DD")]) from None
    products = frozenset(entry["products"]) if "products" in entry else None
    kind = WaiverKind(entry["kind"])
    select = entry["select"]
    selectors = (select,) if isinstance(select, str) else tuple(select)
    return Waiver(selectors, kind, entry["reason"], entry["url"], entry["owner"], expires, products, where)


def waiver_for(waivers: Sequence[Waiver], case_id: str, product: Product, today: date) -> Waiver | None:
    """First entry in force that selects a case."""
    for waiver in waivers:
        if waiver.expires >= today and waiver.applies_to(case_id, product):
            return waiver
    return None


def stale_waivers(waivers: Sequence[Waiver], ids: Iterable[str], product: Product, today: date) -> list[Problem]:
    """Entries that have expired, or that match none of ``ids`` (all of the suite's) on this product."""
    known = list(ids)
    problems = []
    for waiver in waivers:
        if waiver.expires < today:
            problems.append(Problem(waiver.where, f"expired on {waiver.expires}", "renew it or remove it"))
        elif waiver.products is not None and product.name not in waiver.products:
            continue
        else:
            idle = [s for s in waiver.select if not any(matches(s, case_id) for case_id in known)]
            problems += [Problem(waiver.where, f"{selector!r} matches no case", "remove it") for selector in idle]
    return problems
