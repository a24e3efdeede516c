"""A file that lies in two folders: copies are run once and a note says so, all else that shares ids is a problem."""

import pytest
from atk_samples import case, tensor, write_atk

import runners.reference.runner  # noqa: F401 - pytester forgets modules, and torch cannot be imported twice
from conformance.cli import main
from conformance.record import read_record
from conformance.survey import survey, surveyed_files

COPY = (case(0, tensor()), case(1, tensor(values=float("nan"))), case(2, tensor(dtype="fp33")))
TABLE = "testcase_name;op_name;input_shapes;input_dtypes;manual_input_binaries\nx;Silu;[[2]];['float32'];['x.bin']\n"


@pytest.fixture
def folders(tmp_path):
    """Two folders with the same file."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_atk(tmp_path / name, *COPY[:2])
    return tmp_path / "a", tmp_path / "b"


def test_a_copy_is_run_once_and_a_note_says_so(folders, tmp_path, capsys):
    record = tmp_path / "r.jsonl"
    assert main(["run", "--paths", str(tmp_path), "--record", str(record)]) == 0
    assert len(read_record(record).lines) == 2
    assert f"note: {folders[1]}/atk_aclnnSilu.json is a copy of {folders[0]}" in capsys.readouterr().err


def test_survey_counts_a_copy_once_and_notes_it(folders, tmp_path):
    found = survey(surveyed_files([tmp_path]))
    assert [found.files, found.cases, found.problems, len(found.notes)] == [1, 2, (), 1]


def test_pytest_runs_a_copy_once_too(folders, pytester):
    result = pytester.runpytest_inprocess("-q", *(str(folder / "atk_aclnnSilu.json") for folder in folders))
    result.assert_outcomes(passed=2, warnings=1)
    result.stdout.fnmatch_lines(["*is a copy of*"])


def test_what_cannot_be_read_of_a_copy_is_said_once(folders, pytester, capsys):
    paths = [str(write_atk(folder, *COPY)) for folder in folders]
    assert main(["run", "--paths", paths[0], "--paths", paths[1], "--record", str(pytester.path / "r.jsonl")]) == 1
    assert "1 problem in the data" in capsys.readouterr().out
    pytester.runpytest_inprocess("-q", *paths).assert_outcomes(passed=2, failed=1, warnings=1)


@pytest.mark.parametrize("difference", ["content", "script"])
def test_other_files_with_the_same_ids_are_a_problem_that_all_doors_name(
    difference, folders, tmp_path, pytester, capsys
):
    if difference == "content":
        write_atk(folders[1], COPY[0], case(2, tensor()))
    else:
        (folders[1] / "executor.py").write_text("x = 1\n")
        write_atk(folders[0], COPY[0])
        write_atk(folders[1], COPY[0])
    assert main(["run", "--paths", str(tmp_path), "--record", str(tmp_path / "r.jsonl")]) == 1
    out, err = capsys.readouterr()
    assert "1 problem in the data" in out
    assert "duplicate id atk.silu.atk_aclnnsilu.id0." in err
    assert survey(surveyed_files([tmp_path])).problems[0].what.startswith("duplicate id")
    result = pytester.runpytest_inprocess("-q", *(str(folder / "atk_aclnnSilu.json") for folder in folders))
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*duplicate id atk.silu.*", "not conforming: 1 problem in the data*"])


def test_tables_whose_data_lies_elsewhere_are_no_copies(tmp_path, capsys):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ttk_silu.csv").write_text(TABLE)
    assert main(["list", "--paths", str(tmp_path)]) == 0
    for name in ("a", "b"):
        (tmp_path / name / "x.bin").write_bytes(bytes(8))
    assert main(["list", "--paths", str(tmp_path)]) == 2
    assert "duplicate id" in capsys.readouterr().err
