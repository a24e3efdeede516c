"""A record as CTRF, the Common Test Report Format: a JSON document under ``ctrf.schema.json``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from conformance.ending import complaints_of
from conformance.record import Record, is_flaky, read_record
from conformance.verdict import Verdict

Line = Mapping[str, Any]
SPEC_VERSION = "0.0.0"
STATUSES = ("passed", "failed", "skipped", "pending", "other")
_STATUS = {
    Verdict.PASSED: "passed",
    Verdict.WAIVED: "other",
    Verdict.UNSPECIFIED: "other",
    Verdict.UNSUPPORTED: "skipped",
    Verdict.SKIPPED: "skipped",
}
"""Verdict → status; every other verdict is red and therefore ``failed``. ``rawStatus`` has the verdict itself."""
_KEPT = ("headroom", "side", "signature", "again", "exercises", "call", "expected", "diagnosis", "standard", "strict")
"""Parts of a case's line that go into ``extra`` as they are."""


def ctrf(record: Record) -> dict[str, Any]:
    """The document."""
    header = record.header
    start = round(datetime.fromisoformat(header["started"]).timestamp() * 1000)
    seconds = record.footer["seconds"] if record.footer else sum(line["seconds"] for line in record.lines)
    tests = [_test(line) for line in record.lines]
    tests += [_complaint(number, text) for number, text in enumerate(complaints_of(record), 1)]
    counts = Counter(test["status"] for test in tests)
    return {
        "reportFormat": "CTRF",
        "specVersion": SPEC_VERSION,
        "timestamp": header["started"],
        "generatedBy": "aclnn-conformance",
        "results": {
            "tool": {"name": "aclnn-conformance", "version": header["environment"]["suite"]},
            "summary": {
                "tests": len(tests),
                **{status: counts[status] for status in STATUSES},
                "flaky": sum(bool(test.get("flaky")) for test in tests),
                "start": start,
                "stop": start + round(seconds * 1000),
            },
            "tests": tests,
            "environment": _environment(header),
        },
    }


def print_ctrf(path: Path, console: Console) -> None:
    """Print the document, in ASCII."""
    console.file.write(json.dumps(ctrf(read_record(path)), separators=(",", ":")) + "\n")


def _test(line: Line) -> dict[str, Any]:
    status = _STATUS.get(Verdict(line["verdict"]), "failed")
    test: dict[str, Any] = {
        "name": line["id"],
        "status": status,
        "rawStatus": line["verdict"],
        "duration": round(line["seconds"] * 1000),
        "suite": [line["api"]],
        "type": "conformance",
        "tags": list(line["facets"]),
    }
    if line["reason"]:
        test["message"] = line["reason"]
    if is_flaky(line):
        test["flaky"] = True
    extra = {name: line[name] for name in _KEPT if line.get(name)}
    return {**test, "extra": extra} if extra else test


def _complaint(number: int, text: str) -> dict[str, Any]:
    name = f"the run itself: complaint {number}"
    return {"name": name, "status": "failed", "rawStatus": "complaint", "duration": 0, "message": text}


def _environment(header: Mapping[str, Any]) -> dict[str, Any]:
    runner, environment = header["runner"], header["environment"]
    return {
        "appName": runner["name"],
        "appVersion": runner["version"],
        "osPlatform": environment.get("platform", "unknown"),
        "testEnvironment": header["product"],
        "extra": {name: header[name] for name in ("runner", "reference", "standard", "seed", "data", "environment")},
    }
