"""Lists of required cases: which cases, with which content, a certificate of a release asks for.

A list lies in ``cases/required/<release>.json`` and is never changed; a later one supersedes it and gives the reasons.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.case import Case
from conformance.data import data_root
from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import line_of
from conformance.merkle import merkle_root

FOLDER = "required"
_WORDS_OF_A_GROUP = 4


@dataclass(frozen=True, slots=True)
class RequiredCase:
    """One case of a list: its id, the digest of its content in hex, and the products it is required on."""

    id: str
    digest: str
    products: frozenset[str]


@dataclass(frozen=True, slots=True)
class RequiredList:
    """Required cases by id, in the order of their ids; ``reasons`` says of changes to the superseded list why."""

    release: str
    date: str
    tier: str
    cases: Mapping[str, RequiredCase]
    supersedes: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """SHA-256 over release, date, tier and every case with its content and products."""
        return merkle_root(map(str.encode, self._leaves()))

    def _leaves(self) -> Iterator[str]:
        yield " ".join((self.release, self.date, self.tier))
        for one in self.cases.values():
            yield " ".join((one.id, one.digest, *sorted(one.products)))

    def on(self, product: str) -> Mapping[str, RequiredCase]:
        """Those required on a product."""
        return {name: one for name, one in self.cases.items() if product in one.products}


def list_of(
    cases: Iterable[Case], release: str, tier: str, today: date, supersedes: str = "", reasons: Mapping[str, str] = {}
) -> RequiredList:
    """The list of these cases as they are now."""
    required = sorted((RequiredCase(case.id, case.digest, case.products) for case in cases), key=lambda one: one.id)
    return RequiredList(release, today.isoformat(), tier, {one.id: one for one in required}, supersedes, reasons)


def find_lists(root: Path | None = None) -> list[Path]:
    """Files of all lists of the suite, sorted."""
    return sorted(((root or data_root()) / FOLDER).glob("*.json"))


def load_required(path: Path) -> RequiredList:
    """The list of a file; raises InvalidData, also where the cases are not those that its digest was made of."""
    text, document = schema.read_valid(path, schema.REQUIRED)
    found = (
        RequiredCase(f"{group}.{rest}", base64.urlsafe_b64decode(digest + "=").hex(), frozenset(entry["products"]))
        for entry in document["cases"]
        for group, cases in entry["groups"].items()
        for rest, digest in cases.items()
    )
    cases = {one.id: one for one in sorted(found, key=lambda one: one.id)}
    loaded = RequiredList(
        document["release"],
        document["date"],
        document["tier"],
        cases,
        document.get("supersedes", ""),
        document.get("reasons", {}),
    )
    if loaded.digest != document["digest"]:
        where = Location(path, line_of(text, "/digest"), "/digest")
        advice = "lists are never changed: restore the file, or write a new list with required new"
        raise InvalidData([Problem(where, "the cases listed are not those of the digest", advice)])
    return loaded


def text_of(required: RequiredList) -> str:
    """A list as the text of its file: a line a case."""
    parts: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    for one in required.cases.values():
        words = one.id.split(".")
        group, rest = ".".join(words[:_WORDS_OF_A_GROUP]), ".".join(words[_WORDS_OF_A_GROUP:])
        digest = base64.urlsafe_b64encode(bytes.fromhex(one.digest)).decode().rstrip("=")
        parts.setdefault(tuple(sorted(one.products)), {}).setdefault(group, {})[rest] = digest
    document: dict[str, Any] = {
        "$schema": f"../schemas/{schema.REQUIRED}.schema.json",
        "release": required.release,
        "date": required.date,
        "tier": required.tier,
        **({"supersedes": required.supersedes} if required.supersedes else {}),
        **({"reasons": dict(required.reasons)} if required.reasons else {}),
        "digest": required.digest,
        "cases": [{"products": list(products), "groups": groups} for products, groups in sorted(parts.items())],
    }
    return json.dumps(document, indent=0, ensure_ascii=False) + "\n"
