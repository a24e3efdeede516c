"""A certified run to play with: five cases of PReLU backward on the simulator, one of them failing under a waiver."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import fakes
from tiny import REFUSED, prelu_cases, prelu_group, session

from conformance.certificate import Given, complaints_about, draft
from conformance.envelope import open_envelope, seal
from conformance.environment import data_digest, source_digest
from conformance.header import header_of
from conformance.keys import PrivateKey, generate
from conformance.load import load_standards
from conformance.options import Options
from conformance.record import RecordWriter, line_of, read_record
from conformance.required import RequiredList, list_of
from conformance.statement import Evidence, statement_of
from conformance.suite import Suite
from conformance.waiver import digest_of_waivers, parse_waivers

STARTED, ISSUED, CHECKED = date(2026, 10, 15), date(2026, 11, 1), date(2026, 12, 1)
ENTRY = {
    "select": "activation.prelu_backward.numeric.waived",
    "kind": "waiver",
    "reason": "the sign of gradients is a deviation agreed on",
    "url": "https://example.org/7",
    "owner": "team",
    "expires": "2027-01-31",
}
VENDOR = {
    "$schema": "statement-1.schema.json",
    "vendor": "Example",
    "implementation": "libexample",
    "version": "1.0",
    "contact": "conformance@example.org",
}
OPEN = prelu_group("open", expect={"unspecified": "the document is silent", "document": "success"})
GROUPS = (prelu_group(), prelu_group("halves", dtype="float16"), prelu_group("waived", shape=(3, 2)), REFUSED, OPEN)
Lines = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Certified:
    """Everything that implementer and verifier hold, in ``folder``."""

    folder: Path
    suite: Suite
    required: RequiredList
    key: PrivateKey
    entries: tuple[Any, ...] = (ENTRY,)
    levels: tuple[str, ...] = ("strict", "cann_mixed")

    @property
    def record(self) -> Path:
        """The record as the verifier gets it."""
        return self.folder / "record.jsonl"

    @property
    def certificate(self) -> Path:
        """The certificate as the verifier gets it."""
        return self.folder / "certificate.json"

    def evidence(self, issued: date = ISSUED) -> Evidence:
        return Evidence(read_record(self.record), self.required, self.suite, VENDOR, list(self.entries), issued)

    def refusals(self, issued: date = ISSUED) -> list[str]:
        """What ``certify`` says against the record."""
        return [str(complaint) for complaint in draft(self.evidence(issued), self.levels).claim.complaints]

    def complaints(self, today: date = CHECKED, *, record: bool = True) -> list[str]:
        """What ``verify`` says against the certificate."""
        given = Given(self.key.public, self.required, self.suite, today, self.record if record else None)
        return [str(one) for one in complaints_about(open_envelope(self.certificate), given, self.certificate)]

    def statement(self) -> dict[str, Any]:
        """The statement that the record supports, or would support if nothing spoke against it."""
        made = draft(self.evidence(), self.levels)
        return statement_of(self.evidence(), made.claim)

    def sign(self, statement: dict[str, Any], key: PrivateKey | None = None) -> None:
        self.certificate.write_text(seal(statement, key or self.key), encoding="utf-8")

    def rewrite(
        self, change: Callable[[Lines], Iterable[dict[str, Any]] | None], header: dict[str, Any] | None = None
    ) -> None:
        """Change the lines of the record and close it with a footer that fits, as who forges it would."""
        before = read_record(self.record)
        lines = [json.loads(json.dumps(dict(line))) for line in before.lines]
        changed = change(lines)
        with RecordWriter(self.record, {**before.header, **(header or {})}) as writer:
            for line in lines if changed is None else changed:
                writer.add(line)


def suite_of(cases: Any) -> Suite:
    """The suite that runs, with these cases."""
    return Suite("0", {case.id: case for case in cases}, load_standards(), data_digest(), "f" * 64, source_digest())


def certified(folder: Path) -> Certified:
    """An honest run and its certificate."""
    cases = prelu_cases(folder / "data", *GROUPS)
    required = list_of(cases, "2026.1", "default", date(2026, 10, 1))
    world = Certified(folder, suite_of(cases), required, generate())
    waivers = parse_waivers({"entries": [ENTRY]}, json.dumps({"entries": [ENTRY]}), folder)
    honest, deviating = session(waivers=waivers), session(fakes.WrongSign(), waivers=waivers)
    header = {**header_of(honest, Options(runner="simulator")), "started": f"{STARTED}T09:00:00+00:00"}
    with RecordWriter(world.record, header) as writer:
        for case in cases:
            writer.add(line_of((deviating if case.group == "waived" else honest).execute(case)))
    world.sign(world.statement())
    return world


def with_waiver(world: Certified, **changes: Any) -> Certified:
    """The same world where the waiver of the run says something else."""
    entry = {**ENTRY, **changes}
    waivers = parse_waivers({"entries": [entry]}, json.dumps({"entries": [entry]}), world.folder)
    world.rewrite(lambda lines: lines, {"terms": {"waivers": digest_of_waivers(waivers)}})
    return replace(world, entries=(entry,))
