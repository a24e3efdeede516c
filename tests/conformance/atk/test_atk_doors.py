"""ATK files through both doors: the same ids and verdicts, by the file's standard with the strict one beside."""

import json

import fakes
import pytest
from atk_samples import case, tensor, write_atk

import runners.reference.runner  # noqa: F401 - pytester forgets modules, and torch cannot be imported twice
from conformance.cli import main
from conformance.corpus import load_corpus
from conformance.pytest_entry import names_cases
from conformance.record import read_record

WRONG_SIGN = f"{fakes.__file__}:WrongSign"


@pytest.fixture
def path(tmp_path):
    shapes = [(3, 5), (7,), (100, 20)]
    runs = (case(i, tensor("grad_output", s), tensor("self", s), api="SiluBackward") for i, s in enumerate(shapes))
    absent = case(9, tensor(), api="Unheard")
    return write_atk(tmp_path, *runs, absent, api="SiluBackward")


def lines_of(record):
    return {line["id"].split(".")[3]: line for line in read_record(record).lines}


def through(door, pytester, *words):
    words = [str(word) for word in words]
    if door == "pytest":
        return int(pytester.runpytest_inprocess("-q", *words).ret)
    return main(["run", "--paths", *words])


@pytest.mark.parametrize("door", ["native", "pytest"])
def test_cases_run_by_their_files_standard_and_what_cannot_is_never_passed(door, path, tmp_path, pytester, capsys):
    record = tmp_path / "record.jsonl"
    assert through(door, pytester, path, "--record", record, "--max-elements", 1000) == 0
    lines = lines_of(record)
    assert {name: line["verdict"] for name, line in lines.items()} == {
        "id0": "passed",
        "id1": "passed",
        "id2": "skipped",
        "id9": "unsupported",
    }
    assert lines["id0"]["standard"] == "cann_single_benchmark"
    assert lines["id0"]["strict"]["verdict"] == "passed"
    assert lines["id2"]["reason"] == "2000 elements, --max-elements is 1000"
    assert "no contract of aclnnUnheard" in lines["id9"]["reason"]


def test_bytes_are_limited_too(path, tmp_path, capsys):
    record = tmp_path / "record.jsonl"
    assert main(["run", "--paths", str(path), "--record", str(record), "--max-bytes", "100"]) == 0
    assert lines_of(record)["id0"]["reason"] == "180 bytes, --max-bytes is 100"


@pytest.mark.parametrize("standard", ["strict", "ulp"])
def test_a_standard_that_the_user_names_judges_every_case(standard, path, tmp_path, capsys):
    record = tmp_path / "record.jsonl"
    main(["run", "--paths", str(path), "--record", str(record), "--max-elements", "1000", "--standard", standard])
    assert "standard" not in lines_of(record)["id0"]
    header = json.loads(record.read_text("utf-8").splitlines()[0])
    assert (header["standard"]["name"], header["terms"]["standard"]) == (standard, standard)


def test_a_record_is_judged_again_by_the_standards_of_its_files_unless_another_is_named(path, tmp_path, capsys):
    record = tmp_path / "record.jsonl"
    main(["run", "--paths", str(path), "--record", str(record), "--max-elements", "1000"])
    assert "standard   cann_single_benchmark, which files ask for, judged 2 cases" in capsys.readouterr().out
    main(["run", "--paths", str(path), "--record", str(tmp_path / "s"), "--max-elements", "1000", "--atk-slice", "1"])
    assert main(["recheck", str(tmp_path / "s"), "--paths", str(path)]) == 0
    for more in ([], ["--standard", "strict"]):
        assert main(["recheck", str(record), "--paths", str(path), *more]) == 0


def test_a_wrong_answer_fails_and_the_line_to_run_it_again_names_the_file(path, tmp_path, capsys):
    assert main(["run", "--paths", str(path), "--record", str(tmp_path / "r.jsonl"), "--runner", WRONG_SIGN]) == 1
    assert f"pytest {path} -k atk.silu_backward" in capsys.readouterr().out


def test_one_case_can_be_named_and_a_folder_holds_the_files(path, tmp_path):
    ids = [one.id for one in load_corpus([tmp_path]).cases]
    assert len(ids) == 4
    assert ids == [one.id for one in load_corpus([path], ["atk.silu_backward"]).cases]
    assert load_corpus([path], ["activation"]).cases == ()


def test_a_share_of_the_cases_is_sliced(path, tmp_path, capsys):
    record = tmp_path / "record.jsonl"
    words = ["run", "--paths", str(path), "--record", str(record), "--atk-slice", "1"]
    assert main(words) == 0
    assert "noncontiguous" in lines_of(record)["id0-sliced"]["facets"]


@pytest.mark.parametrize(
    ("name", "content", "answer"),
    [
        ("atk_aclnnSilu.json", None, True),
        ("atk_aclnnSilu.json", "[1, 2]", True),
        ("cases.json", None, True),
        ("cases.json", "[1, 2]", False),
        ("cases.json", '{"api_type": 1}', False),
    ],
)
def test_pytest_loads_the_plugin_for_files_that_begin_as_atks_do_or_bear_their_name(name, content, answer, path):
    named = path.with_name(name)
    named.write_text(path.read_text() if content is None else content)
    assert names_cases(str(named)) is answer
