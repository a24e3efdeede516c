"""The command line: what each command prints, and its exit status."""

import json
import subprocess
import sys
from collections import Counter

import fakes
import pytest
from tiny import cases_of, group, prelu_folder, prelu_group, refusal, tiny_folder, write

from conformance import commands
from conformance.cli import main
from conformance.listing import Listing
from conformance.record import read_record
from conformance.run import Tally
from conformance.verdict import Verdict

REFUSED = {
    "name": "refused",
    "about": "weight has another element type",
    "like": "rows",
    "arguments": {"weight": {"dtype": "int8"}},
    "expect": refusal(),
}
NAME = "activation.prelu_backward.numeric"


@pytest.fixture
def folder(tmp_path):
    folder = prelu_folder(tmp_path)
    elsewhere = prelu_group("elsewhere", products=["ascend910"])
    write(folder, prelu_group(), REFUSED, elsewhere, api="aclnnPreluBackward")
    return folder


@pytest.fixture
def command(folder, tmp_path, capsys):
    """Status, output and errors of a command over the folder."""

    def run(*words, paths=True):
        record = ["--record", str(tmp_path / "record.jsonl")] if words[0] == "run" else []
        where = ["--paths", str(folder)] if paths else []
        status = main([*map(str, words), *record, *where])
        return status, *capsys.readouterr()

    return run


def test_a_green_run(command, tmp_path):
    status, out, err = command("run")
    assert (status, err) == (0, "")
    assert "aclnnPreluBackward" in out
    assert "not conforming" not in out
    assert read_record(tmp_path / "record.jsonl").counts == {Verdict.PASSED: 2, Verdict.SKIPPED: 1}


def test_a_red_run_explains_each_red_case_and_says_why_it_is_red(command):
    status, out, _ = command("run", f"{NAME}.rows", "--runner", f"{fakes.__file__}:WrongSign")
    assert status == 1
    assert f"FAILED {NAME}.rows.h" in out
    assert "worst at [" in out
    assert "again     pytest cases -k activation.prelu_backward.numeric.rows.h" in out
    assert "not conforming: 1 failed" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "nothing"], "error: selector 'nothing' matches no case"),
        (["run", "activation.prelu"], "near names: activation.prelu_backward"),
        (["run", "--product", "ascend1"], "error: unknown product 'ascend1'; products are ascend950"),
        (["run", "--standard", "lax"], "error: unknown standard 'lax'; standards are"),
        (["run", "--runner", "nobody"], "error: unknown runner 'nobody'"),
        (["run", "--reference", "simulator"], "error: simulator is no reference"),
        (["run", "--waivers", "no.json"], "error: no.json: cannot be read"),
        (["show", NAME], "picks 3 cases; name one, such as"),
        (["list", "nothing"], "error: selector 'nothing' matches no case"),
        (["report", "poem"], "error: unknown report 'poem'"),
        (["report", "markdown", "/no/record.jsonl"], "error: /no/record.jsonl: cannot be read"),
    ],
)
def test_misuse_is_one_line_and_status_2(words, message, command):
    status, _, err = command(*words, paths=words[0] != "report")
    assert status == 2
    assert message in err
    assert "Traceback" not in err


def test_an_unwritable_record_is_found_before_the_first_case(folder, capsys):
    assert main(["run", "--paths", str(folder), "--record", "/proc/no/record.jsonl"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("error: /proc/no/record.jsonl: cannot be written")
    assert out == ""


def test_nothing_executed_is_red(command):
    status, out, _ = command("run", "--max-elements", "1")
    assert status == 1
    assert "not conforming: no case was executed" in out


def test_no_case_file_at_all(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["run", "--paths", str(tmp_path / "empty")]) == 2
    assert capsys.readouterr().err == "error: no case file was found\n"


def test_an_interrupted_run_ends_with_130_and_a_record_without_footer(command, tmp_path, monkeypatch):
    def interrupted(self, call):
        raise KeyboardInterrupt

    monkeypatch.setattr("runners.simulator.runner.SimulatorRunner.run", interrupted)
    status, _, err = command("run")
    assert status == 130
    assert err == "interrupted; a record that was being written has no footer\n"
    assert read_record(tmp_path / "record.jsonl").footer is None


@pytest.mark.parametrize(
    ("select", "status", "complaint"),
    [
        ("nothing", 1, "w.json:1 at /entries/0: 'nothing' matches no case (remove it)"),
        ("demo.tiny", 0, ""),
        (f"{NAME}.elsewhere", 0, ""),
    ],
)
def test_stale_waivers_are_red_and_those_of_other_cases_of_the_suite_are_not(
    select, status, complaint, command, tmp_path, monkeypatch
):
    whole = Listing(tuple(cases_of(tmp_path / "whole", group())), ())
    load = commands.load_listing
    monkeypatch.setattr(commands, "load_listing", lambda paths=None, *rest: load(paths) if paths else whole)
    entry = {"select": select, "kind": "skip", "reason": "known hang", "url": "u", "owner": "o"}
    document = {"$schema": "waivers-1.schema.json", "entries": [{**entry, "expires": "2999-01-01"}]}
    (tmp_path / "w.json").write_text(json.dumps(document))
    done, out, _ = command("run", "--waivers", tmp_path / "w.json")
    assert done == status
    assert complaint in out


def test_list_prints_ids_and_what_groups_are_for(command):
    _, out, _ = command("list", "--about", "--product", "ascend910")
    lines = out.splitlines()
    assert lines[0] == "# group rows as it stands in a test"
    assert [line.rpartition(".")[0] for line in lines if not line.startswith("#")] == [
        f"{NAME}.rows",
        *(f"{NAME}.refused" for _ in range(1)),
        f"{NAME}.elsewhere",
    ]
    assert "elsewhere" not in command("list", "--product", "ascend950")[1]


def test_list_into_a_closed_pipe_ends_quietly(folder):
    listing = f"{sys.executable} -m conformance list --paths {folder}; echo status $? >&2"
    done = subprocess.run(["bash", "-c", f"({listing}) | true"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_a_broken_pipe_is_status_1(monkeypatch, tmp_path):
    def broken(*arguments):
        raise BrokenPipeError

    out = (tmp_path / "out").open("w")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(commands, "list_cases", broken)
    assert main(["list"]) == 1
    out.close()
    assert (tmp_path / "out").stat().st_size == 0


def test_show_prints_the_call_in_full(command):
    status, out, _ = command("show", f"{NAME}.rows")
    assert status == 0
    for words in (
        "api       aclnnPreluBackward (",
        "products  ascend910, ascend910_93, ascend910b, ascend950; shown for ascend910b",
        "gradInput float32[4, 2]",
        "[1, 2, -1, 1, 2, -1, 1, 2]",
        "steps     workspace, run",
        "expected  success",
        "golden    gradInput [0.5, 2,",
        "facets    aclnnPreluBackward activation",
    ):
        assert words in out


def test_show_says_why_there_is_no_golden(command):
    _, out, _ = command("show", f"{NAME}.refused")
    assert "expected  refusal at workspace with PARAM_INVALID (161002)" in out
    assert "golden    " in out


@pytest.mark.parametrize(
    ("name", "argument", "words"),
    [
        ("self", {"values": {"constant": "nan"}}, ["[nan, nan,", "            or ["]),
        ("self", {"values": {"arange": [-4, 1]}, "shape": [8, 2]}, ["… 16 in all]"]),
        (
            "self",
            {"dtype": "int4", "values": None},
            ["self      int4[4, 2]", "none: torch cannot hold"],
        ),
        ("executor", None, ["executor  null", "steps     workspace with null executor, run"]),
        ("weight", None, ["weight    null", "golden    none: "]),
    ],
)
def test_show_of_an_unusual_call(name, argument, words, folder, capsys):
    body = prelu_group(expect={"unspecified": "the document is silent"}, exercises=["c2"])
    changed = argument and {**body["arguments"].get(name, {}), **argument}
    body["arguments"][name] = changed and {key: value for key, value in changed.items() if value is not None}
    path = write(folder, body, file="unusual.json", api="aclnnPreluBackward")
    assert main(["show", "activation", "--paths", str(path)]) == 0
    out = capsys.readouterr().out
    assert [word for word in ("exercises c2: ", *words) if word not in out] == []


def test_reports_of_a_record(command, tmp_path):
    command("run")
    status, out, _ = command("report", "markdown", tmp_path / "record.jsonl", paths=False)
    assert status == 0
    assert out.startswith("# Conformance summary")


def test_the_module_runs(folder):
    command = [sys.executable, "-m", "conformance", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.count(".") == 2


@pytest.mark.parametrize(
    ("counts", "complaints", "problems", "status", "why"),
    [
        ({Verdict.PASSED: 1, Verdict.SKIPPED: 3}, (), (), 0, ""),
        ({Verdict.PASSED: 1, Verdict.BROKEN: 2}, (), (), 1, "2 broken"),
        ({Verdict.FAILED: 1, Verdict.MISTRUSTED: 2}, ("x",), (), 1, "1 failed; 2 mistrusted; x"),
        ({Verdict.PASSED: 1}, ("stale",), (), 1, "stale"),
        ({Verdict.PASSED: 1}, ("stale",), ("a.json: x", "b.json: y"), 1, "stale; 2 problems in the data, named above"),
        ({Verdict.UNSUPPORTED: 1}, (), (), 1, "no case was executed"),
        ({}, (), (), 1, "no case was executed"),
    ],
)
def test_what_a_run_came_to(counts, complaints, problems, status, why):
    tally = Tally(Counter(counts), complaints, problems=problems)
    assert (tally.exit_status, tally.why_red) == (status, why)


def test_lint_of_paths_says_what_is_wrong_in_good_form_and_prose(tmp_path, capsys):
    folder = tiny_folder(tmp_path)
    write(folder, group(about="checks that this should work"), group("other", about="checks that this should work"))
    assert main(["lint", str(folder)]) == 1
    err = capsys.readouterr().err
    assert "numeric.json: not in canonical form (run lint --fix)" in err
    assert "is not a statement of fact" in err
    assert "group 'other' says the same as 'plain'" in err
