"""The spreadsheet, read back: sheets and columns that ATK's have, words that say no more than the verdicts do."""

import io

import pytest
from lines import METRICS, OUTPUT, SEEN, failing, line, record_file
from openpyxl import load_workbook
from rich.console import Console

from conformance import commands
from conformance.errors import InvalidOption
from conformance.verdict import Verdict
from reports import xlsx
from reports.xlsx import MOST_CHARACTERS, write_xlsx

SHEETS = ["statistic", "summary", "failed cases", "accuracy false cases", "run"]


def written(tmp_path, *lines, **rest):
    record = record_file(tmp_path / "r.jsonl", *lines, **rest)
    output = tmp_path / "deep" / "r.xlsx"
    write_xlsx(record, Console(file=io.StringIO()), output=output)
    assert [path.name for path in output.parent.iterdir()] == ["r.xlsx"]
    return load_workbook(output)


def table(book, sheet):
    """Rows of a sheet as dictionaries; empty cells left out."""
    header, *rows = book[sheet].iter_rows(values_only=True)
    return [{k: v for k, v in zip(header, row, strict=True) if v is not None} for row in rows]


def passing(**more):
    met = {**OUTPUT, "met": True, "headroom": 0.5, "reason": ""}
    seen = {**SEEN, "call": "aclnnTiny(x float32[2, 3])", "expected": "success", "outputs": {"out": met}}
    return line(**{**seen, **more})


def ended(kind, verdict="failed", **more):
    return {**line(verdict, "why"), **SEEN, "outcome": {"kind": kind, "text": kind}, **more}


def test_sheets_and_columns_are_atks(tmp_path):
    book = written(tmp_path, passing())
    assert book.sheetnames == SHEETS
    header = [cell.value for cell in book["statistic"][1]]
    assert header[:6] == ["编号", "运行结果", "失败原因", "用例json信息", "精度详情", "pyaclnn_0_精度通过"]
    assert header[12:15] == ["cpu_0_精度通过", "cpu_0_Device性能（us）", "cpu_0_端到端性能(us)"]
    assert [cell.value for cell in book["summary"][1]][:2] == ["名称", "总用例数"]
    assert len(book["summary"][1]) == 12


def test_a_case_that_passed(tmp_path):
    (row,) = table(written(tmp_path, passing()), "statistic")
    assert row["运行结果"] == "SUCCESS"
    assert row["cpu_0_精度通过"] is True
    assert row["判定"] == "passed"
    assert "失败原因" not in row
    assert "pyaclnn_0_精度通过" not in row
    assert f"max_ulp={METRICS['max_ulp']}" in row["精度详情"]
    assert '"call": "aclnnTiny' in row["用例json信息"]


@pytest.mark.parametrize("verdict", Verdict)
def test_only_passed_cases_are_accurate_and_red_ones_are_never_silent(verdict, tmp_path):
    (row,) = table(written(tmp_path, {**passing(), "verdict": verdict.value, "reason": "why"}), "statistic")
    assert (row.get("cpu_0_精度通过") is True) == (verdict is Verdict.PASSED)
    assert (row.get("失败原因") == f"{verdict.value}: why") == (verdict is not Verdict.PASSED)
    assert row["判定"] == verdict.value


@pytest.mark.parametrize(
    ("made", "status", "accurate"),
    [
        (ended("Completed"), "SUCCESS", False),
        (ended("Completed", "mistrusted"), "SUCCESS", False),
        (ended("Completed", "waived"), "SUCCESS", False),
        (ended("Completed", "unspecified"), "SUCCESS", None),
        (ended("Rejected", "passed", expected="refusal at workspace with PARAM_INVALID (161002)"), "SUCCESS", True),
        (ended("Rejected", expected="refusal at workspace with PARAM_INVALID (161002)"), "SUCCESS", False),
        (ended("Rejected", expected="success"), "FAILED", None),
        (ended("Crashed"), "FAILED", None),
        (ended("Broken", "broken"), "FAILED", None),
        (ended("Completed", "broken"), "FAILED", None),
        (ended("TimedOut"), "TIMEOUT", None),
        (ended("Unsupported", "unsupported"), "UNDO", None),
        (line("skipped", "why"), "UNDO", None),
        (line("not_run", "why"), "UNDO", None),
    ],
)
def test_running_and_accuracy_are_told_apart(made, status, accurate, tmp_path):
    book = written(tmp_path, made)
    (row,) = table(book, "statistic")
    assert (row["运行结果"], row.get("cpu_0_精度通过")) == (status, accurate)
    assert len(table(book, "failed cases")) == (status in ("FAILED", "TIMEOUT"))
    assert len(table(book, "accuracy false cases")) == (accurate is False)


def test_an_atk_case_keeps_its_number_and_every_case_its_id(tmp_path):
    ids = ["atk.silu.atk_aclnnsilu.id7.h12345678", "atk.silu.atk_aclnnsilu.id8-sliced.h12345678", "demo.tiny.id7.h1"]
    rows = table(written(tmp_path, *({**passing(), "id": one} for one in ids)), "statistic")
    assert [row["编号"] for row in rows] == [7, 8, "demo.tiny.id7.h1"]
    assert [row["用例标识"] for row in rows] == ids


def test_the_summary_counts_each_api_and_its_share_is_that_of_all_that_were_run(tmp_path):
    lines = [passing(), failing(), ended("Crashed"), line("skipped"), passing(api="aclnnOther")]
    refused = ended("Rejected", "passed", expected="refusal at workspace with PARAM_INVALID (161002)")
    tiny, other = table(written(tmp_path, *lines, refused), "summary")
    assert (tiny["名称"], tiny["总用例数"]) == ("aclnnTiny", 5)
    assert (tiny["执行成功用例个数"], tiny["执行失败用例个数"]) == (3, 1)
    assert (tiny["精度比对通过用例个数"], tiny["错误信息匹配用例个数"]) == (2, 1)
    assert tiny["精度比对通过率"] == "50.00%"
    assert (other["名称"], other["精度比对通过率"], other["平均e2e性能比"]) == ("aclnnOther", "100.00%", "-")


def test_a_share_of_nothing_is_none(tmp_path):
    lines = [line("skipped"), ended("Completed", "unspecified")]
    assert [row["精度比对通过率"] for row in table(written(tmp_path, *lines), "summary")] == ["-"]


@pytest.mark.parametrize("rest", [{"ended": False}, {"complaints": ["a waiver matches nothing"]}])
def test_what_makes_a_run_red_beside_its_cases_is_a_failed_row(rest, tmp_path):
    book = written(tmp_path, passing(), **rest)
    assert [row["运行结果"] for row in table(book, "statistic")] == ["SUCCESS", "FAILED"]
    assert table(book, "failed cases")[0]["编号"] == "the run itself: complaint 1"
    assert table(book, "summary")[-1]["精度比对通过率"] == "0.00%"


def test_the_run_is_described(tmp_path):
    facts = dict(written(tmp_path, passing())["run"].iter_rows(min_row=2, values_only=True))
    assert facts["product"] == "ascend910b"
    assert facts["standard"] == "strict 1"
    assert facts["runner.numpy"] == "2.4"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("=1+1", "=1+1"),
        ("{=1+1}", "{=1+1}"),
        ("+cmd|' /C calc'!A0", "+cmd|' /C calc'!A0"),
        ("@SUM(A1)", "@SUM(A1)"),
        ("http://example.org/x", "http://example.org/x"),
        ("<r><t>bold</t></r>", "<r><t>bold</t></r> "),
        ("a\x1b[31m\x00b", "a\\x1b[31m\\x00b"),
        ("\ud800", "\\ud800"),
        ("余量 <&> \"'", "余量 <&> \"'"),
        ("two\nlines\t", "two\nlines\t"),
        ("x" * 40_000, "x" * (MOST_CHARACTERS - 7) + "… (cut)"),
        ("😀" * 20_000, "😀" * ((MOST_CHARACTERS - 7) // 2) + "… (cut)"),
    ],
    ids=["formula", "array", "plus", "at", "link", "markup", "control", "surrogate", "xml", "lines", "long", "emoji"],
)
def test_a_text_stays_a_text(text, read, tmp_path):
    book = written(tmp_path, {**passing(), "id": text, "verdict": "failed", "reason": text})
    cell = book["statistic"].cell(2, [one.value for one in book["statistic"][1]].index("用例标识") + 1)
    assert (cell.data_type, cell.value, cell.hyperlink) == ("s", read, None)


def test_numbers_that_a_record_writes_as_texts_stay_texts(tmp_path):
    (row,) = table(written(tmp_path, passing(headroom="inf")), "statistic")
    assert row["余量"] == "inf"


def test_a_sheet_that_is_full_goes_on_in_another(tmp_path, monkeypatch):
    monkeypatch.setattr(xlsx, "MOST_ROWS", 4)
    book = written(tmp_path, *(passing() for _ in range(7)))
    names = [name for name in book.sheetnames if name.startswith("statistic")]
    assert names == ["statistic", "statistic 2", "statistic 3"]
    assert [len(table(book, name)) for name in names] == [3, 3, 1]
    assert book.sheetnames[:5] == SHEETS


def test_the_same_record_gives_the_same_file(tmp_path):
    record = record_file(tmp_path / "r.jsonl", passing(), failing())
    files = [tmp_path / name for name in ("a.xlsx", "b.xlsx")]
    for file in files:
        write_xlsx(record, Console(), output=file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_command_writes_the_file_and_refuses_to_print_it(tmp_path, monkeypatch):
    monkeypatch.setattr(commands, "find_report", lambda form: write_xlsx)
    record = record_file(tmp_path / "r.jsonl", passing())
    assert commands.report("xlsx", record, tmp_path / "r.xlsx") == 0
    assert load_workbook(tmp_path / "r.xlsx").sheetnames == SHEETS
    with pytest.raises(InvalidOption, match="name a file"):
        commands.report("xlsx", record)
    with pytest.raises(InvalidOption, match="cannot be written"):
        commands.report("xlsx", record, record / "r.xlsx")
    with pytest.raises(InvalidOption, match="takes no --beside"):
        commands.report("xlsx", record, tmp_path / "r.xlsx", beside=[record])
