"""What ``certify`` and ``keygen`` do."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.certificate import draft, read_entries, title_of
from conformance.claim import LEVELS
from conformance.complaint import Complaint
from conformance.envelope import open_envelope, seal
from conformance.keys import generate, load_private, write_pair
from conformance.load import load_waivers
from conformance.record import read_record
from conformance.required import load_required
from conformance.statement import Evidence
from conformance.suite import load_suite
from conformance.writing import write_text
from reports.certificate_page import page_of

GREEN, RED = 0, 1


def certify(given: argparse.Namespace) -> int:
    """Write a certificate and return 0, or name everything that speaks against it and return 1."""
    key = load_private(given.key)
    load_waivers(tuple(given.waivers))
    evidence = Evidence(
        record=read_record(given.record),
        required=load_required(given.required),
        suite=load_suite(given.paths),
        vendor=_statement(given.statement),
        entries=read_entries(given.waivers),
        issued=datetime.now(timezone.utc).date(),
    )
    levels = LEVELS if given.level is None else (given.level,)
    made = draft(evidence, levels, given.waivers[0] if len(given.waivers) == 1 else None)
    if made.statement is None:
        print_complaints(f"{given.record}: no certificate", made.claim.complaints)
        return RED
    write_text(given.output, seal(made.statement, key))
    if given.html is not None:
        write_text(given.html, page_of(open_envelope(given.output)))
    print(f"{given.output}: {title_of(made.claim)}")
    return GREEN


def print_complaints(heading: str, complaints: tuple[Complaint, ...]) -> None:
    """A line for each complaint."""
    print(f"{heading}:")
    for complaint in complaints:
        print(f"- {complaint}")


def _statement(path: Path) -> Mapping[str, Any]:
    _, document = schema.read_valid(path, schema.STATEMENT)
    statement: Mapping[str, Any] = document
    return statement


def keygen(given: argparse.Namespace) -> int:
    """Write a new pair of keys."""
    key = generate(given.kind)
    public = write_pair(key, given.output)
    print(f"{given.output}: private key, keep it secret")
    print(f"{public}: public key {key.public.id}")
    return GREEN
