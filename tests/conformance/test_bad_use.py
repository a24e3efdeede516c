"""Bad use of the command line: one error that says what, where and what to do next, before any long work."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import conformance.__main__
from conformance import cli
from conformance.cli import main
from conformance.header import VERSION

ROOT = Path(__file__).resolve().parents[2]
ONE = ("activation.silu.refusals.legal",)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where commands are given: an empty file, an empty folder and a record without a case lie there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "record").write_text(f'{{"kind":"header","version":"{VERSION}"}}\n')
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


def refusal(words, capsys):
    """What a command says that has status 2 and prints nothing else."""
    try:
        status = main(words)
    except SystemExit as exit_:
        status = exit_.code
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert "Traceback" not in err
    return err.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("option", "value", "advice"),
    [
        ("--repeat", "0", "write a whole number from 1"),
        ("--repeat", "-1", "write a whole number from 1"),
        ("--repeat", "9" * 5000, "write a whole number from 1"),
        ("--max-elements", "-1", "write a whole number from 0"),
        ("--max-elements", "1e3", "write a whole number from 0"),
        ("--max-bytes", "-1", "write a whole number from 0"),
        ("--deadline", "0", "write seconds above 0"),
        ("--deadline", "nan", "write seconds above 0"),
        ("--deadline", "1e400", "write seconds above 0"),
        ("--deadline", "soon", "write seconds above 0"),
        ("--shard", "0/0", "such as 2/4"),
        ("--atk-slice", "2", "write a number from 0 to 1"),
        ("--runner-option", "x", "is not NAME=VALUE"),
    ],
)
def test_values_that_mean_nothing_are_refused_by_both_doors(option, value, advice, capsys, pytester):
    said = refusal(["run", *ONE, option, value], capsys)
    assert option in said
    assert advice in said
    result = pytester.runpytest_inprocess("-p", "conformance.pytest_plugin", option, value)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert advice in result.stderr.str()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", *ONE, "--jobs", "0"], "write one from 1 to 1024, or auto"),
        (["run", *ONE, "--jobs", "9" * 20], "write one from 1 to 1024, or auto"),
        (["run", *ONE, "--balance", "file"], "--balance is for shares of a run; write --shard I/N with it"),
        (["run", *ONE, "--record", "folder", "--resume"], "folder: cannot be read: Is a directory"),
        (["run", *ONE, "--runner-option", "x=1"], "got an unexpected keyword argument 'x'; it takes "),
        (["run", "activation.silu.refusals", "activation.gelu.numeri"], "near names: activation.gelu"),
        (["list", "activation.silu.numeric", "--product", "ascend310b"], "no case of ascend310b is among those picked"),
        (["faults", "--fault", "no_such_fault"], "no fault or class no_such_fault; classes are "),
        (["lint", "folder"], "no case file was found; name one"),
        (["survey", "folder"], "no case file of ATK, TTK or msopst was found; name one"),
        (["survey", "file", "--max-elements", "-1"], "write a whole number from 0"),
        (["coverage", "--api", "Silu"], "no contract of 'Silu' (near names: aclnnSilu"),
        (["coverage", "--api", "aclnnSilu", "--record", "folder"], "folder: cannot be read: Is a directory"),
        (["coverage", "--api", "aclnnSilu", "--record", "record"], "record: holds no case"),
        (["run", *ONE, "--shard", "1/2", "--balance", "record"], "record: holds no case"),
        (["coverage", "--faults", "missing"], "missing: cannot be read: No such file or directory; `faults"),
        (["faults", "--api", "Silu"], "no contract of 'Silu' (near names: aclnnSilu"),
        (["faults", "--api", "aclnnSilu", "--jobs", "-1"], "write one from 1 to 1024, or auto"),
        (["faults", "--api", "aclnnSilu", "--markdown", "folder"], "folder: cannot be written: it is a folder; name"),
        (["variants", "--jobs", "0"], "write one from 1 to 1024, or auto"),
        (["fuzz", "--seconds", "nan"], "write seconds above 0"),
        (["fuzz", "--api", "aclnnSilu", "-o", "file"], "nothing can be written into file: "),
        (["fuzz", "--replay", "folder"], "folder holds no case that can be read; name a case file"),
        (["generate", "--api", "aclnnSilu", "--product", "ascend"], "invalid choice: 'ascend'"),
        (["generate", "--api", "aclnnSilu", "-o", "file/x.json"], "nothing can be written into file: "),
        (["repro", *ONE, "-o", "folder"], "folder: cannot be written: Is a directory"),
        (["keygen", "-o", ""], "cannot be written"),
        (["new", "case", "x.json", "group"], "begin with: new api FAMILY --prototype"),
        (["required", "new", "1", "-o", "file/x.json"], "nothing can be written into file: "),
    ],
)
def test_what_cannot_be_done_is_one_error(words, says, capsys):
    assert says in refusal(words, capsys)


def test_a_record_is_not_judged_again_by_files_that_are_not_there(capsys, folder):
    record = str(folder / "r.jsonl")
    assert main(["run", *ONE, "--record", record]) == 0
    capsys.readouterr()
    assert refusal(["recheck", record, "--paths", "missing"], capsys) == "error: no case file is valid"
    assert refusal(["recheck", record, "--paths", "folder"], capsys) == "error: no case file was found"


@pytest.mark.parametrize(
    "words", [["run", "--paths"], ["list", "--paths"], ["survey"], ["import", "-o", "x"], ["lint"]]
)
def test_a_folder_that_may_not_be_looked_into_loses_no_case_unseen(words, folder, capsys, monkeypatch):
    scan = os.scandir

    def refuse(path):
        if Path(path).name == "folder":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (folder / "atk_aclnnSilu.json").write_text('[{"id":0,"aclnn_name":"Silu","inputs":[]}]')
    said = refusal([*words, str(folder)], capsys)
    assert said.endswith("/folder: cannot be read: Permission denied (check the folder's rights)")


def test_lint_leaves_other_suites_files_as_they_are(folder, capsys):
    path = folder / "atk_aclnnSilu.json"
    path.write_text('[{"id":0,"aclnn_name":"Silu","inputs":[]}]')
    main(["lint", "--fix", str(path)])
    assert path.read_text() == '[{"id":0,"aclnn_name":"Silu","inputs":[]}]'
    assert "rewritten" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("output", "status", "says"),
    [(">&-", 0, ""), ("> /dev/full", 2, "error: what is written: No space left on device\n")],
)
def test_output_that_is_closed_or_full_is_no_crash(output, status, says):
    command = f"{sys.executable} -m conformance list activation.silu.refusals {output}"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, says)


@pytest.mark.parametrize("option", ["--isolate", "--jobs=2"])
def test_too_few_open_files_are_one_error_that_says_how_to_allow_more(option, folder):
    run = f"{sys.executable} -m conformance run {ONE[0]} {option} --record {folder}/r.jsonl"
    done = subprocess.run(f"ulimit -n 7; {run}", shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    said = "error: Too many open files; allow a process more of them: ulimit -n 256\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_an_interrupted_start_says_so_and_nothing_more(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupted)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    assert conformance.__main__.main() == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_ctrl_c_where_python_can_only_ignore_it_comes_again(monkeypatch):
    class Interrupted:
        def __del__(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "unraisablehook", conformance.__main__.interrupt_again)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - the first is ignored, the second is not
        Interrupted()
        time.sleep(60)
