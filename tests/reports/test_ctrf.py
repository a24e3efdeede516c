"""CTRF: the document keeps its schema, and its statuses say what the verdicts do."""

import io
import json
from pathlib import Path

import jsonschema
import pytest
from lines import failing, line, record_file
from rich.console import Console

import reports
from conformance.record import read_record
from conformance.verdict import Verdict
from reports.ctrf import ctrf, print_ctrf

SCHEMA = json.loads((Path(reports.__file__).parent / "ctrf.schema.json").read_text(encoding="utf-8"))


def document(tmp_path, *lines, **rest):
    return ctrf(read_record(record_file(tmp_path / "r.jsonl", *lines, **rest)))


def test_every_verdict_keeps_the_schema_and_is_counted_once(tmp_path):
    found = document(tmp_path, *(line(verdict.value, "why") for verdict in Verdict), failing(again="passed"))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    summary, tests = found["results"]["summary"], found["results"]["tests"]
    assert summary["tests"] == len(tests) == len(Verdict) + 1
    assert sum(summary[status] for status in ("passed", "failed", "pending", "skipped", "other")) == len(tests)
    assert summary["flaky"] == 1
    assert {test["rawStatus"] for test in tests} == {verdict.value for verdict in Verdict}


@pytest.mark.parametrize("verdict", Verdict)
def test_only_passed_cases_are_passed_and_only_red_ones_failed(verdict, tmp_path):
    (test,) = document(tmp_path, line(verdict.value, "why"))["results"]["tests"]
    assert (test["status"] == "failed") == verdict.is_red
    assert (test["status"] == "passed") == (verdict is Verdict.PASSED)


def test_a_failure_keeps_what_explains_it(tmp_path):
    (test,) = document(tmp_path, failing())["results"]["tests"]
    assert test["message"] == "out: error 1.5 times the limit"
    assert test["extra"]["diagnosis"]["out"]["text"] == "only the last element is wrong"
    assert test["suite"] == ["aclnnTiny"]


@pytest.mark.parametrize("rest", [{"ended": False}, {"complaints": ["a waiver matches nothing"]}])
def test_what_makes_a_run_red_beside_its_cases_is_a_failed_test(rest, tmp_path):
    found = document(tmp_path, line(), **rest)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["results"]["summary"]["failed"] == 1


def test_any_text_is_printed_in_ascii(tmp_path):
    path = record_file(tmp_path / "r.jsonl", line("failed", "\ud800 \x1b 余量"))
    console = Console(file=io.StringIO())
    print_ctrf(path, console)
    assert console.file.getvalue().isascii()
    assert json.loads(console.file.getvalue())["results"]["tests"][0]["message"] == "\ud800 \x1b 余量"
