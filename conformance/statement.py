"""The statement of a certificate, from a record and what it proves: in-toto Statement v1, test-result predicate."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from conformance.claim import PARTIAL, Claim
from conformance.merkle import merkle_root
from conformance.record import Record, has_kept_golden
from conformance.required import RequiredList
from conformance.suite import Suite
from conformance.waiver import Waiver

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1"
OWN = "aclnn_conformance"
"""Key of the predicate's part that is ours."""
_LIBRARY, _SYMBOLS = "library ", "symbols of "
_SHA256 = re.compile(r"sha256 ([0-9a-f]{64})")
_LEFT_OUT = frozenset({"host", "cpus", "sources", "suite"})
"""Parts of a record's environment that a certificate does not repeat, or has elsewhere."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a statement is made from; ``vendor`` is the implementer's own part, ``entries`` the waivers as written."""

    record: Record
    required: RequiredList
    suite: Suite
    vendor: Mapping[str, Any]
    entries: list[Any]
    issued: date


def subjects_of(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and SHA-256 of every library that the runner's facts name; no digest where it could not be read."""
    for name, value in sorted(facts.items()):
        if name.startswith(_LIBRARY):
            match = _SHA256.fullmatch(str(value))
            yield name.removeprefix(_LIBRARY), match[1] if match else ""


def statement_of(evidence: Evidence, claim: Claim) -> dict[str, Any]:
    """The statement for a claim without complaints."""
    header, required = evidence.record.header, evidence.required
    subjects = [{"name": name, "digest": {"sha256": digest}} for name, digest in subjects_of(header["runner"]["facts"])]
    return {
        "_type": STATEMENT_TYPE,
        "subject": subjects,
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "result": "WARNED" if claim.level == PARTIAL else "PASSED",
            "configuration": list(_configuration(evidence)),
            "warnedTests": sorted(claim.partial),
            OWN: {
                "issued": evidence.issued.isoformat(),
                "validUntil": _earliest_end(claim),
                "level": level_of(claim),
                "product": header["product"],
                "standard": _standard(claim),
                "release": {"name": required.release, "date": required.date, "tier": required.tier},
                "statement": dict(evidence.vendor),
                "runner": {key: value for key, value in header["runner"].items() if key != "facts"},
                "reference": dict(header["reference"]),
                "environment": _environment(header),
                "record": _record(evidence.record),
                "verdicts": {verdict.value: count for verdict, count in sorted(claim.counts.items(), key=str)},
                "waivers": {"entries": evidence.entries},
                "excused": list(_excused(claim.waived)),
                "missing": list(_excused(claim.partial)),
                "unspecified": [
                    {"group": group, "side": side, "cases": count}
                    for (group, side), count in sorted(claim.unspecified.items())
                ],
            },
        },
    }


def level_of(claim: Claim) -> str:
    """The level in words: ``conformant (strict)``."""
    return f"{claim.level} ({claim.standard.name})" if claim.standard else claim.level


def _configuration(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """Everything the result depends on, with its digest."""
    suite = evidence.suite
    digests = {
        f"required cases {evidence.required.release}": evidence.required.digest,
        "case data": suite.data,
        "standards.json": suite.standards_file,
        f"suite {suite.version}": suite.sources,
        "record": _sha256(evidence.record.path),
        "case lines (Merkle root)": merkle_root(case_lines(evidence.record.path)),
    }
    for name, digest in digests.items():
        yield {"name": name, "digest": {"sha256": digest}}


def case_lines(path: Path) -> list[bytes]:
    """Lines of the cases of a whole record, as they stand in its file, without their ends."""
    return path.read_bytes().removesuffix(b"\n").split(b"\n")[1:-1]


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _earliest_end(claim: Claim) -> str | None:
    """Last day of the waiver that ends first, of those that excuse anything."""
    ends = [waiver.expires for waiver in (*claim.waived.values(), *claim.partial.values())]
    return min(ends).isoformat() if ends else None


def _standard(claim: Claim) -> dict[str, str]:
    assert claim.standard is not None
    return {"name": claim.standard.name, "version": claim.standard.version}


def _environment(header: Mapping[str, Any]) -> dict[str, str]:
    """What the implementation and the host say of themselves, but for libraries and names of machines."""
    facts = {name: str(value) for name, value in header["runner"]["facts"].items()}
    said = {name: value for name, value in facts.items() if not name.startswith((_LIBRARY, _SYMBOLS))}
    return {**{n: v for n, v in header["environment"].items() if n not in _LEFT_OUT}, **said}


def _record(record: Record) -> dict[str, Any]:
    return {
        "started": record.header["started"],
        "standard": dict(record.header["standard"]),
        "seed": record.header["seed"],
        "lines": len(record.lines),
        "kept_goldens": sum(map(has_kept_golden, record.lines)),
    }


def _excused(cases: Mapping[str, Waiver]) -> Iterator[dict[str, Any]]:
    """Waivers in use, each with the cases that it excuses."""
    for waiver in dict.fromkeys(cases.values()):
        ids = sorted(name for name, other in cases.items() if other == waiver)
        yield {
            "kind": waiver.kind.value,
            "reason": waiver.reason,
            "url": waiver.url,
            "owner": waiver.owner,
            "expires": waiver.expires.isoformat(),
            "cases": ids,
        }
