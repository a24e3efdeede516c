r"""A record as JUnit XML: a suite an API, a test a case; what CI servers read.

The text is ASCII. Characters that XML cannot hold are written as Python escapes them: ``\x1b``, ``\ud800``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rich.console import Console

from conformance.ending import complaints_of
from conformance.record import Record, read_record
from conformance.verdict import Verdict

Line = Mapping[str, Any]
_RESULTS = {
    Verdict.FAILED: "failure",
    Verdict.UNEXPECTED_PASS: "failure",
    Verdict.MISTRUSTED: "error",
    Verdict.BROKEN: "error",
    Verdict.NOT_RUN: "error",
    Verdict.WAIVED: "skipped",
    Verdict.UNSUPPORTED: "skipped",
    Verdict.UNSPECIFIED: "skipped",
    Verdict.SKIPPED: "skipped",
}
"""Verdict → element of a test that did not pass. Nothing that proves nothing looks passed, nothing red looks green."""
_COUNTS = {"failures": "failure", "errors": "error", "skipped": "skipped"}
_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(record: Record) -> str:
    """The document."""
    by_api: dict[str, list[Line]] = defaultdict(list)
    for line in record.lines:
        by_api[line["api"]].append(line)
    root = Element("testsuites", {"name": "aclnn conformance", **_totals(record.lines)})
    start = datetime.fromisoformat(record.header["started"])
    for api, lines in by_api.items():
        root.append(_suite(api, lines, record, start))
        start += timedelta(seconds=sum(line["seconds"] for line in lines))
    complaints = complaints_of(record)
    if complaints:
        root.append(_suite_of_complaints(complaints, start))
        for name in ("tests", "errors"):
            root.set(name, str(int(root.get(name, 0)) + len(complaints)))
    indent(root, " ")
    text: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return f"{text.decode('ascii')}\n"


def print_junit(path: Path, console: Console) -> None:
    """Print the document."""
    console.file.write(junit(read_record(path)))


def clean(text: str) -> str:
    """A text that XML may hold."""
    return _NOT_XML.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def _totals(lines: Sequence[Line]) -> dict[str, str]:
    found = [_RESULTS.get(Verdict(line["verdict"])) for line in lines]
    counts = {name: str(found.count(result)) for name, result in _COUNTS.items()}
    return {"tests": str(len(lines)), **counts, "time": f"{sum(line['seconds'] for line in lines):.6f}"}


def _suite(api: str, lines: Sequence[Line], record: Record, start: datetime) -> Element:
    header = record.header
    suite = Element("testsuite", {"name": clean(api), "timestamp": _time(start), **_totals(lines)})
    suite.set("hostname", clean(header["environment"].get("host", "")) or "unknown")
    facts = {
        "product": header["product"],
        "runner": f"{header['runner']['name']} {header['runner']['version']}",
        "reference": f"{header['reference']['name']} {header['reference']['version']}",
        "standard": f"{header['standard']['name']} {header['standard']['version']}",
        "seed": str(header["seed"]),
        "data": header["data"],
        **{f"runner.{name}": str(fact) for name, fact in header["runner"]["facts"].items()},
        **{f"environment.{name}": fact for name, fact in header["environment"].items()},
    }
    _add_properties(suite, facts.items())
    for line in lines:
        suite.append(_test(api, line, header["product"]))
    return suite


def _test(api: str, line: Line, product: str) -> Element:
    test = Element("testcase", name=line["id"], classname=clean(api), time=f"{line['seconds']:.6f}")
    facts = [("verdict", line["verdict"]), ("product", product)]
    facts += [
        (name, str(line[name])) for name in ("headroom", "side", "signature", "again", "standard") if name in line
    ]
    facts += [("facet", facet) for facet in line["facets"]]
    _add_properties(test, facts)
    result = _RESULTS.get(Verdict(line["verdict"]))
    if result is not None:
        reason = clean(f"{line['verdict']}: {line['reason']}" if line["reason"] else line["verdict"])
        found = SubElement(test, result, message=reason.partition("\n")[0], type=line["verdict"])
        found.text = clean("\n".join(_details(line)))
    return test


def _details(line: Line) -> Iterable[str]:
    """Everything in words that helps somebody who has only this file."""
    yield from [line["reason"]] if line["reason"] else []
    yield from (f"{name}: {line[name]}" for name in ("call", "expected") if name in line)
    yield from (f"fault: {fault['text']}" for fault in line.get("faults", ()))
    yield from (f"diagnosis of {name}: {found['text']}" for name, found in line.get("diagnosis", {}).items())


def _time(moment: datetime) -> str:
    """Without a time zone, as the schemas want it."""
    return moment.isoformat(timespec="seconds")[:19]


def _add_properties(parent: Element, facts: Iterable[tuple[str, str]]) -> None:
    properties = SubElement(parent, "properties")
    for name, value in facts:
        SubElement(properties, "property", name=clean(name), value=clean(value))


def _suite_of_complaints(complaints: Sequence[str], start: datetime) -> Element:
    """A suite with an error for each."""
    name, number = "the run itself", str(len(complaints))
    counts = {"tests": number, "failures": "0", "errors": number, "skipped": "0", "time": "0"}
    suite = Element("testsuite", {"name": name, "timestamp": _time(start), "hostname": "unknown", **counts})
    for at, complaint in enumerate(complaints, 1):
        test = SubElement(suite, "testcase", name=f"complaint {at}", classname=name, time="0")
        SubElement(test, "error", message=clean(complaint), type="run")
    return suite
