"""TTK's tables and msopst's lists through both doors: the same ids and verdicts as any case."""

import json

import fakes
import pytest

import runners.reference.runner  # noqa: F401 - pytester forgets modules, and torch cannot be imported twice
from conformance.cli import main
from conformance.corpus import load_corpus
from conformance.pytest_entry import names_cases
from conformance.record import read_record

WRONG_SIGN, SAYS_YES = (f"{fakes.__file__}:{name}" for name in ("WrongSign", "WritesNothing"))
HEAD = "testcase_name,op_name,input_shapes,input_dtypes,soc_series\n"
ROWS = 'small,Silu,"((3, 5),)",float32,\nlarge,Silu,"((100, 20),)",float32,\nabsent,Unheard,"((2,),)",float32,\n'
ELSEWHERE = 'elsewhere,Silu,"((3, 5),)",float32,Ascend950\n'
X = {"format": ["ND"], "type": ["float"], "shape": [[3, 5]], "data_distribute": ["uniform"], "value_range": [[-1, 1]]}
LISTED = [
    {"case_name": "small", "op": "Silu", "input_desc": [X]},
    {"case_name": "large", "op": "Silu", "input_desc": [{**X, "shape": [[100, 20]]}]},
    {"case_name": "absent", "op": "Unheard", "input_desc": [X]},
    {"case_name": "refused", "op": "Silu", "expect": "failed", "input_desc": [{**X, "type": "int8"}]},
]


@pytest.fixture(params=["ttk", "msopst"])
def path(request, tmp_path):
    path = tmp_path / ("ttk_silu.csv" if request.param == "ttk" else "Silu_case.json")
    path.write_text(HEAD + ROWS + ELSEWHERE if request.param == "ttk" else json.dumps(LISTED))
    return path


def lines_of(record):
    return {line["id"].split(".")[3]: line for line in read_record(record).lines}


def through(door, pytester, *words):
    words = [str(word) for word in words]
    if door == "pytest":
        return int(pytester.runpytest_inprocess("-q", *words).ret)
    return main(["run", "--paths", *words])


@pytest.mark.parametrize("door", ["native", "pytest"])
def test_cases_run_and_what_cannot_is_never_passed(door, path, tmp_path, pytester, capsys):
    record = tmp_path / "record.jsonl"
    assert through(door, pytester, path, "--record", record, "--max-elements", 1000) == 0
    lines = lines_of(record)
    expected = {"small": "passed", "large": "skipped", "absent": "unsupported"}
    last = {"elsewhere": "skipped"} if path.suffix == ".csv" else {"refused": "passed"}
    assert {name: line["verdict"] for name, line in lines.items()} == {**expected, **last}
    assert lines["small"]["standard"] == "cann_mixed"
    assert lines["small"]["strict"]["verdict"] == "passed"


def test_a_wrong_answer_fails_and_the_line_to_run_it_again_names_the_file(path, tmp_path, capsys):
    assert main(["run", "--paths", str(path), "--record", str(tmp_path / "r.jsonl"), "--runner", WRONG_SIGN]) == 1
    assert f"pytest {path} -k {path.name.partition('_')[0].replace('Silu', 'msopst')}.silu" in capsys.readouterr().out


def test_a_refusal_that_does_not_come_fails(tmp_path, capsys):
    path = tmp_path / "Silu_case.json"
    path.write_text(json.dumps(LISTED[-1:]))
    assert main(["run", "--paths", str(path), "--record", str(tmp_path / "r.jsonl"), "--runner", SAYS_YES]) == 1
    (line,) = read_record(tmp_path / "r.jsonl").lines
    assert "expected refusal at workspace with PARAM_INVALID" in line["reason"]


def test_a_folder_holds_the_files_beside_others(path, tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "other.json").write_text("{}")
    assert len(load_corpus([tmp_path]).cases) == 4
    assert names_cases(str(path))
    assert not names_cases(str(tmp_path / "other.csv"))


def test_a_table_of_something_else_is_one_readable_error(tmp_path, capsys):
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n")
    assert main(["run", "--paths", str(path)]) == 2
    assert "does not begin with the header of a table of cases" in capsys.readouterr().err
