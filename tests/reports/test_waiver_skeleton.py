"""A record's failures as a waiver file to fill in."""

import json
from datetime import date
from pathlib import Path

from conformance.record import Record
from conformance.schema import WAIVERS, schema_problems
from conformance.verdict import Verdict
from reports.waiver_skeleton import skeleton


def line(number, verdict="failed", signature="crashed with SIGSEGV"):
    return {"id": f"a.b.h{number}", "api": "A", "verdict": verdict, "facets": [], "signature": signature}


def test_one_entry_for_each_kind_of_failure_and_the_file_keeps_its_schema():
    lines = (line(1), line(2), line(3, signature="out: all zero"), {**line(4), "verdict": "passed"})
    document = skeleton(Record(Path("r"), {"product": "ascend910b"}, lines, None), date(2026, 8, 1))
    assert [entry["select"] for entry in document["entries"]] == [["a.b.h1", "a.b.h2"], ["a.b.h3"]]
    assert {entry["since"] for entry in document["entries"]} == {"2026-08-01"}
    assert {entry["expires"] for entry in document["entries"]} == {"2026-10-30"}
    assert schema_problems(WAIVERS, document, json.dumps(document), Path("w.json")) == []
    assert Verdict.FAILED.value in document["entries"][0]["reason"]
