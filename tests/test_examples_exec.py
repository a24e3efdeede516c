"""The example program of docs/exec-runner.md, judged through the native door, and the messages the document shows."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from documents import ROOT, blocks

from conformance.cli import main
from conformance.record import Record, read_record
from conformance.schema import schema_problems
from conformance.verdict import Verdict

EXAMPLE = ROOT / "examples" / "exec_runner.py"
RIGHT = {Verdict.PASSED, Verdict.UNSUPPORTED, Verdict.UNSPECIFIED, Verdict.SKIPPED}


def judged(source: Path, record: Path, *selectors: str) -> Record:
    command = f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(source))}"
    options = ["--runner", command, "--record", str(record), "--max-elements", "4096"]
    main(["run", *selectors, *options])
    return read_record(record)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    file = tmp_path_factory.mktemp("exec") / "record.jsonl"
    return judged(EXAMPLE, file, "activation.silu", "activation.hardshrink")


def test_nothing_that_the_example_answers_is_wrong(record: Record) -> None:
    assert [line["id"] for line in record.lines if Verdict(line["verdict"]) not in RIGHT] == []


def test_the_example_computes_both_apis_and_refuses_null_pointers(record: Record) -> None:
    passed = [line for line in record.lines if line["verdict"] == "passed"]
    assert {line["api"] for line in passed} == {"aclnnSilu", "aclnnHardshrink"}
    assert {line["outcome"]["kind"] for line in passed} == {"Completed", "Rejected"}
    assert len(passed) >= 50


def test_a_fault_in_the_example_fails(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.py"
    faulty.write_text(EXAMPLE.read_text().replace("abs(x) <= limit", "abs(x) < limit"))
    counts = judged(faulty, tmp_path / "record.jsonl", "activation.hardshrink").counts
    assert counts[Verdict.FAILED] >= 1
    assert counts[Verdict.BROKEN] == 0


def test_the_example_is_short_and_needs_the_standard_library_alone() -> None:
    text = EXAMPLE.read_text()
    assert len(text.splitlines()) <= 80
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


def test_the_document_shows_messages_that_keep_the_schema() -> None:
    shown = [json.loads(block.text) for block in blocks(ROOT / "docs" / "exec-runner.md") if block.language == "json"]
    assert [sorted(m)[:1] for m in shown] == [["api"], ["facts"]]
    for message, definition in zip(shown, ("run", "run_answer"), strict=True):
        assert schema_problems(f"exec-1#/$defs/{definition}", message, "{}", Path("document")) == []
