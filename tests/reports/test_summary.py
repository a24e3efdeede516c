"""The summary of a record: counts, headroom, slowest cases, environment."""

import io

import fakes
import pytest
from rich.console import Console
from tiny import prelu_cases, prelu_group, session

from conformance.header import header_of
from conformance.options import Options
from conformance.record import RecordWriter, line_of, read_record
from conformance.verdict import Verdict
from reports.summary import markdown, print_markdown, print_terminal, summarise


@pytest.fixture
def path(tmp_path):
    """Three passed, one skipped, three failed cases."""
    bodies = [prelu_group(name) for name in ("one", "two", "three")]
    cases = prelu_cases(tmp_path, *bodies, prelu_group("elsewhere", products=["ascend910"]))
    with RecordWriter(tmp_path / "record.jsonl", header_of(session(), Options(runner="simulator"))) as writer:
        for trial, some in ((session(), cases), (session(fakes.WrongSign()), cases[:3])):
            for case in some:
                writer.add(line_of(trial.execute(case)))
    return writer.path


def printed(printer, path):
    console = Console(file=io.StringIO(), width=60)
    printer(path, console)
    return console.file.getvalue()


def test_a_summary_counts_by_api_and_keeps_order(path):
    summary = summarise(read_record(path))
    (row,) = summary.rows
    assert row.api == "aclnnPreluBackward"
    assert row.counts == {Verdict.PASSED: 3, Verdict.SKIPPED: 1, Verdict.FAILED: 3}
    assert summary.verdicts == (Verdict.PASSED, Verdict.FAILED, Verdict.SKIPPED)
    assert (len(summary.red), len(summary.slowest), len(summary.closest)) == (3, 3, 3)
    assert summary.slowest[0]["seconds"] >= summary.slowest[1]["seconds"]


def test_the_terminal_form_is_complete_at_any_width(path):
    text = printed(print_terminal, path)
    assert "aclnnPreluBackward" in text
    assert "all" in text
    assert "slowest" in text
    assert "runner     simulator" in text
    assert f"record     {path} (7 cases, " in text


def test_the_markdown_form_lists_red_cases(path):
    text = printed(print_markdown, path)
    assert text == markdown(read_record(path))
    assert "| aclnnPreluBackward | 3 | 3 | 1 | " in text
    assert "## Red cases (3)" in text
    assert text.count("` failed: gradInput") == 3


def test_a_record_without_footer_is_called_truncated(path):
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert "did not end: the record is truncated" in printed(print_markdown, path)


def test_many_red_cases_are_cut_short(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[-2] * 25)
    assert "- … and 5 more in the record" in printed(print_markdown, path)
