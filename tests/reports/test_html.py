"""The HTML page of a record."""

import json

from fakes import WrongSign
from tiny import prelu_cases, prelu_group, session

from conformance.record import RecordWriter, header_of, line_of
from reports.html import html


def test_the_page_shows_the_table_and_what_is_wrong_with_each_red_case(tmp_path):
    (case,) = prelu_cases(tmp_path / "cases", prelu_group("rows"))
    judge = session(WrongSign())
    path = tmp_path / "record.jsonl"
    with RecordWriter(path, header_of(judge, "liar")) as writer:
        writer.add(line_of(judge.execute(case)))
    page = html(path)
    recorded = json.loads(path.read_text().splitlines()[1])
    assert page.startswith("<!DOCTYPE html>")
    assert f"FAILED {case.id}" in page
    assert all(text["text"][:20] in page for text in recorded["diagnosis"].values())
    assert "aclnnPreluBackward" in page
