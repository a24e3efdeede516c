"""Certificates: made from a record that proves enough, and checked by making them again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.claim import LEVELS, Claim, examine
from conformance.complaint import Complaint
from conformance.envelope import Envelope
from conformance.errors import InvalidData, InvalidRecord
from conformance.keys import PublicKey
from conformance.record import Record, read_record
from conformance.required import RequiredList
from conformance.statement import OWN, Evidence, level_of, statement_of, subjects_of
from conformance.suite import Suite
from conformance.waiver import Waiver, parse_waivers

_SHOWN = 100
"""Most characters of a value in a complaint."""
_OF_THE_RECORD = frozenset({"record", "case lines (Merkle root)"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement to be signed, with the claim that it makes; none where there are complaints."""

    claim: Claim
    statement: dict[str, Any] | None


def read_entries(paths: Sequence[Path]) -> list[Any]:
    """Entries of waiver files as written; raises InvalidData."""
    return [entry for path in paths for entry in schema.read_valid(path, schema.WAIVERS)[1]["entries"]]


def draft(evidence: Evidence, levels: Sequence[str] = LEVELS, path: Path | None = None) -> Draft:
    """The statement that a record supports, or everything that speaks against one; ``path`` is where waivers stand."""
    waivers = _waivers(evidence.entries, path or Path("waivers"))
    claim = examine(evidence.record, evidence.required, evidence.suite, waivers, evidence.issued, levels)
    claim = replace(claim, complaints=(*claim.complaints, *_nameless(evidence.record)))
    return Draft(claim, None if claim.complaints else statement_of(evidence, claim))


def _waivers(entries: list[Any], path: Path) -> tuple[Waiver, ...]:
    document = {"entries": entries}
    return parse_waivers(document, json.dumps(document, indent=1), path)


def _nameless(record: Record) -> Iterator[Complaint]:
    """A certificate that names no library by its digest would certify nothing."""
    subjects = list(subjects_of(record.header["runner"]["facts"]))
    if not subjects:
        fact = '"library NAME": "sha256 HEX"'
        yield Complaint(f"the runner names no library of the implementation by its digest (a fact {fact})")
    yield from (Complaint(f"the digest of library {name} is unknown") for name, digest in subjects if not digest)


@dataclass(frozen=True, slots=True)
class Given:
    """What a verifier has beside the certificate; without ``record`` verdicts cannot be made again."""

    key: PublicKey
    required: RequiredList
    suite: Suite
    today: date
    record: Path | None = None


def complaints_about(envelope: Envelope, given: Given, path: Path) -> list[Complaint]:
    """Everything that does not hold of a certificate; ``path`` is where it lies."""
    own = envelope.statement["predicate"][OWN]
    found = list(_signature(envelope, given.key))
    try:
        waivers = _waivers(own["waivers"]["entries"], path)
    except InvalidData as error:
        return [*found, Complaint(str(error))]
    found += _dates(own, waivers, given.today)
    found += _suite(envelope, given) if given.record is None else _record(envelope, given, given.record, path)
    return found


def _signature(envelope: Envelope, key: PublicKey) -> Iterator[Complaint]:
    if not envelope.is_signed_by(key):
        said = ", ".join(sorted({signature.key_id[:12] for signature in envelope.signatures}))
        yield Complaint(f"signature: not made by key {key.id[:12]} over this content (it says key {said})")


def _dates(own: dict[str, Any], waivers: Sequence[Waiver], today: date) -> Iterator[Complaint]:
    if own["issued"] > today.isoformat():
        yield Complaint(f"issued on {own['issued']}, which is still to come")
    if own["issued"] < own["record"]["started"][:10]:
        yield Complaint(f"issued on {own['issued']}, before the run began on {own['record']['started'][:10]}")
    for waiver in waivers:
        if waiver.expires < today:
            yield Complaint(f"a waiver expired on {waiver.expires}: {waiver.reason} ({', '.join(waiver.select)})")


def _suite(envelope: Envelope, given: Given) -> Iterator[Complaint]:
    """Digests of what the verifier has without the record."""
    suite, required = given.suite, given.required
    here = {
        f"required cases {required.release}": required.digest,
        "case data": suite.data,
        "standards.json": suite.standards_file,
        f"suite {suite.version}": suite.sources,
    }
    configuration = envelope.statement["predicate"]["configuration"]
    said = {one["name"]: one["digest"]["sha256"] for one in configuration if one["name"] not in _OF_THE_RECORD}
    for name in sorted(here.keys() | said.keys()):
        if here.get(name) != said.get(name):
            yield _difference(name, said.get(name, "nothing"), here.get(name, "nothing"))


def _record(envelope: Envelope, given: Given, path: Path, certificate: Path) -> Iterator[Complaint]:
    """Whether the record still supports the same statement, to the last digest."""
    try:
        record = read_record(path)
    except InvalidRecord as error:
        yield Complaint(f"record: {error}")
        yield from _suite(envelope, given)
        return
    own = envelope.statement["predicate"][OWN]
    issued = date.fromisoformat(own["issued"])
    entries = own["waivers"]["entries"]
    evidence = Evidence(record, given.required, given.suite, own["statement"], entries, issued)
    made = draft(evidence, [own["standard"]["name"]], certificate)
    yield from made.claim.complaints
    claim = made.claim if made.claim.standard else None
    if claim is None:
        yield from _suite(envelope, given)
        return
    yield from differences(envelope.statement, statement_of(evidence, claim))


def differences(said: Any, made: Any) -> Iterator[Complaint]:
    """Where two statements differ, value by value."""
    before, after = dict(_flat(said)), dict(_flat(made))
    places = [place for place in sorted(before.keys() | after.keys()) if before.get(place) != after.get(place)]
    for place in places:
        yield _difference(place, before.get(place, "nothing"), after.get(place, "nothing"))
    if said != made and not places:
        yield Complaint("the certificate repeats or reorders what it says")


def _difference(place: str, said: Any, made: Any) -> Complaint:
    return Complaint(f"{place}: the certificate says {_short(said)}, here it is {_short(made)}")


def _flat(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is no object or list, with its place in words; subjects and configuration by their names."""
    if isinstance(value, dict) and set(value) == {"name", "digest"}:
        yield f"{place.rpartition(' ')[0]} {value['name']}", value["digest"].get("sha256")
    elif isinstance(value, dict) and value:
        for name, item in value.items():
            yield from _flat(item, f"{place} {name}".strip())
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from _flat(item, f"{place} {number}")
    else:
        yield place, value


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def title_of(claim: Claim) -> str:
    """Level and figures of a claim, in a line."""
    counts = ", ".join(f"{count} {verdict.value}" for verdict, count in claim.counts.most_common())
    return f"{level_of(claim)}: {counts}"
