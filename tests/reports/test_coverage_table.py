"""The command ``coverage``: its tables, its remarks and its exit status."""

import pytest
from tiny import CONTRACT, cases_of, group, prelu_cases, prelu_group, session

from conformance.cells import AXES
from conformance.cli import main
from conformance.contract import parse_contract
from conformance.corpus import Corpus
from conformance.coverage import Answers, coverage_of
from conformance.header import header_of
from conformance.options import Options
from conformance.record import RecordWriter, line_of, read_record
from reports import coverage
from reports.coverage import answers_of, details, overview, remarks
from reports.coverage_grid import grids


@pytest.fixture
def tiny(tmp_path):
    entries = [{"cell": pattern, "reason": "an API made up for tests"} for pattern in ("layout/y/*", "protocol/*")]
    contract = parse_contract({**CONTRACT, "untested_cells": entries})
    return {"aclnnTiny": coverage_of(contract, cases_of(tmp_path, group()))}


def test_a_line_an_api_and_one_for_all(tiny):
    header, line, total = overview(tiny)
    assert header == ["API", *AXES, "declared", "no case", "with cases", "executed", "passed"]
    assert line[0] == "aclnnTiny"
    assert total[0] == "all 1"
    assert line[1:] == total[1:]
    assert line[header.index("dtype")] == "6/14"
    assert line[header.index("protocol")] == "0/11"
    assert line[-2:] == ["-", "-"]
    assert overview(tiny, recorded=True)[1][-2:] == ["0", "0"]


def test_every_cell_has_its_line_and_a_state(tiny):
    states = {line[0]: (line[1], line[-1]) for line in details(tiny["aclnnTiny"])[1:]}
    assert states["dtype/x/float32/ascend910"] == ("1", "not executed")
    assert states["layout/x/gaps"] == ("0", "NO CASE")
    assert states["layout/y/gaps"] == ("0", "untested")


def test_remarks_gather_cells_by_reason(tiny):
    found = remarks(tiny)
    assert len(found) == 2
    assert found[0].startswith("aclnnTiny has no case of layout/y/gaps|offset|permuted, protocol/")
    assert found[0].endswith(": an API made up for tests")
    assert found[1].endswith(": no reason is given")


def test_an_api_has_a_table_a_kind(tiny):
    contract = parse_contract(CONTRACT)
    about = {constraint.label: constraint.about for constraint in contract.constraints}
    tables = {table[0][0]: table for table in grids(tiny["aclnnTiny"], about, recorded=False)}
    assert list(tables) == [axis for axis in AXES if axis != "rank"]
    assert tables["layout"][0] == ["layout", "contiguous", "offset", "permuted", "gaps", "expanded"]
    assert tables["layout"][1:] == [["x", "1", "GAP", "GAP", "GAP", "GAP"], ["y", "1", "none", "none", "none", ""]]
    assert tables["dtype"][0][1:] == list(contract.products)
    assert tables["refusal"][0][-1] == "constraint"
    assert [row[-1] for row in tables["refusal"][1:3]] == [contract.constraints[0].about, ""]


def test_with_records_an_api_s_tables_say_what_passed(tmp_path):
    cases = prelu_cases(tmp_path, prelu_group())
    run = (cases[0].id, "ascend910b")
    contract = cases[0].contract
    about = {constraint.label: constraint.about for constraint in contract.constraints}
    for answers, mark in (
        (Answers(), "1 ?"),
        (Answers(frozenset({run})), "1 ✓"),
        (Answers(frozenset({run}), frozenset({run})), "1 ✗"),
    ):
        ranks = next(t for t in grids(coverage_of(contract, cases, answers), about, True) if t[0][0] == "rank")
        assert ranks[1][ranks[0].index("2")] == mark


def test_records_say_what_ran_and_what_was_red(tmp_path):
    cases = prelu_cases(tmp_path, prelu_group("one"), prelu_group("elsewhere", products=["ascend910"]))
    trial = session()
    with RecordWriter(tmp_path / "record.jsonl", header_of(trial, Options(runner="simulator"))) as writer:
        for case in cases:
            writer.add(line_of(trial.execute(case)))
    answers = answers_of([read_record(writer.path)])
    assert answers.executed == {(cases[0].id, "ascend910b")}
    assert answers.red == frozenset()


def test_the_command_shows_every_api_of_the_suite(capsys):
    assert main(["coverage"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("API ")
    assert "\naclnnSilu " in out
    assert "aclnnSoftmaxBackward has no case of special/output/bfloat16|float16|float32/largest" in out
    assert "no reason is given" not in out


def test_one_api_in_markdown(capsys):
    assert main(["coverage", "--api", "aclnnSilu", "--markdown"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("| dtype | ascend950 | ")
    assert "| self float16 | " in out
    assert main(["coverage", "--api", "aclnnSilu", "--markdown", "--cells"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("| cell | cases | executed | red | state |\n| --- | ---: |")
    assert "| rank/self/8 | " in out
    assert "| API | dtype | " in out


def test_a_gap_makes_the_command_red_and_an_unknown_api_is_misuse(monkeypatch, capsys):
    monkeypatch.setattr(coverage, "load_corpus", lambda: Corpus((), (), ()))
    assert main(["coverage", "--api", "aclnnSilu"]) == 1
    assert "no reason is given" in capsys.readouterr().out
    assert main(["coverage", "--api", "aclnnNone"]) == 2
    assert "no contract of 'aclnnNone' (" in capsys.readouterr().err
