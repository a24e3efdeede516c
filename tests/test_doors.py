"""Two doors, one engine: the same ids, verdicts and exit status from ``conformance run`` and from pytest."""

import json
import subprocess
import sys
from pathlib import Path

import fakes
import pytest
from tiny import prelu_folder, prelu_group, refusal, write

from conformance.cli import main
from conformance.listing import Listing
from conformance.record import read_record

LIARS = f"{Path(fakes.__file__)}"
GROUPS = [
    prelu_group("rows", dtype="$dtype", axes={"dtype": ["float16", "float32"]}),
    prelu_group("elsewhere", products=["ascend950"]),
    {
        "name": "refused",
        "about": "weight has another element type than the rest",
        "like": "rows",
        "arguments": {"weight": {"dtype": "int8"}},
        "expect": refusal(),
    },
    prelu_group("silent", expect={"unspecified": "the document is silent", "document": "success"}),
]


@pytest.fixture
def folder(tmp_path):
    folder = prelu_folder(tmp_path)
    write(folder, *GROUPS, api="aclnnPreluBackward")
    return folder


@pytest.fixture
def native(tmp_path, capsys):
    """Status and output of a native run in this process."""

    def run(*words):
        status = main([str(word) for word in words])
        return status, capsys.readouterr().out

    return run


@pytest.fixture
def through_pytest(pytester, capsys):
    """Status and output of a pytest run in this process."""

    def run(*words):
        result = pytester.runpytest_inprocess("-q", *words)
        capsys.readouterr()
        return int(result.ret), result.stdout.str() + result.stderr.str()

    return run


def spread(folder, *words):
    """A pytest run over two workers."""
    command = [sys.executable, "-m", "pytest", "-q", str(folder), *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def verdicts(path):
    return {line["id"]: line["verdict"] for line in read_record(path).lines}


@pytest.mark.parametrize(
    ("runner", "status", "seen"),
    [
        ("simulator", 0, {"passed", "skipped", "unspecified"}),
        (f"{LIARS}:WrongSign", 1, {"passed", "skipped", "unspecified", "failed"}),
        (f"{LIARS}:SupportsNothing", 1, {"skipped", "unsupported"}),
    ],
    ids=["honest", "liar", "idle"],
)
def test_both_doors_give_the_same_ids_verdicts_and_status(
    runner, status, seen, folder, tmp_path, native, through_pytest
):
    one, two = tmp_path / "native.jsonl", tmp_path / "pytest.jsonl"
    options = ["--runner", runner, "--product", "ascend910b"]
    first = native("run", "--paths", folder, *options, "--record", one)
    second = through_pytest(folder, *options, "--record", two)
    assert (first[0], second[0]) == (status, status), second[1]
    assert verdicts(one) == verdicts(two)
    assert set(verdicts(one).values()) == seen
    assert ["not conforming: " in output for _, output in (first, second)] == [bool(status)] * 2


def test_xdist_gives_the_same_record(folder, tmp_path, through_pytest):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert through_pytest(folder, "--record", one)[0] == 0
    done = spread(folder, "--record", two, "-n", "2", "--seed", "3")
    assert done.returncode == 0, done.stdout
    assert verdicts(one) == verdicts(two)
    assert read_record(two).header["seed"] == 3


def test_a_case_whose_worker_died_is_broken_in_the_record(folder, tmp_path):
    record = tmp_path / "record.jsonl"
    write(folder, GROUPS[0], api="aclnnPreluBackward")
    done = spread(folder, "--runner", f"{LIARS}:Crashes", "--no-isolate", "--record", record, "-n", "1")
    assert done.returncode == 1
    assert set(verdicts(record).values()) == {"broken"}
    assert len(verdicts(record)) == 2
    assert "crashed while running" in read_record(record).lines[0]["reason"]


def test_an_id_from_a_failure_selects_exactly_that_case(folder, native, through_pytest):
    _, output = through_pytest(folder, "--runner", f"{LIARS}:WrongSign", "--no-isolate")
    (repro,) = {line.split("again")[1] for line in output.splitlines() if "again" in line and "fp16" in line}
    case_id = repro.split("-k ")[1].split()[0]
    assert "1 passed" in through_pytest(folder, "-k", case_id)[1]
    assert native("list", case_id, "--paths", folder)[1].split() == [case_id]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["-k", "prelu_backward and fp16 and not refusal"], 1),
        (["-m", "refusal and status_161002"], 2),
        (["-m", "unspecified"], 1),
        (["-k", "rank2"], 6),
    ],
)
def test_facets_are_keywords_and_markers(words, count, folder, through_pytest):
    _, output = through_pytest(folder, "--collect-only", "--strict-markers", *words)
    assert len([line for line in output.splitlines() if "::" in line]) == count


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--product", "ascend1"], "ERROR: unknown product 'ascend1'; products are ascend950"),
        (["--standard", "lax"], "ERROR: unknown standard 'lax'; standards are"),
        (["--runner", "nobody"], "ERROR: unknown runner 'nobody'; known are"),
        (["--waivers", "no.json"], "no.json: cannot be read: No such file or directory"),
        (["--record", "/proc/no/record.jsonl"], "ERROR: /proc/no/record.jsonl: cannot be written"),
    ],
)
def test_bad_options_end_pytest_before_the_first_case(options, message, folder, through_pytest):
    status, output = through_pytest(folder, *options)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert message in output
    assert "Traceback" not in output


def test_bad_data_is_an_error_of_its_file_and_the_others_still_run(folder, through_pytest):
    write(folder, prelu_group(abuot="typo"), file="bad.json", api="aclnnPreluBackward")
    status, output = through_pytest(folder, "--continue-on-collection-errors")
    assert status == 1
    assert "bad.json:" in output
    assert "unknown key 'abuot'" in output
    assert "4 passed" in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--max-elements", "1"], 1, "not conforming: no case was executed"),
        (["-k", "no_such_case"], 5, "deselected"),
        (["-k", "elsewhere"], 1, "not conforming: no case was executed"),
    ],
)
def test_nothing_green_over_nothing(words, status, said, folder, through_pytest):
    done, output = through_pytest(folder, *words)
    assert done == status
    assert said in output


@pytest.mark.parametrize(
    ("entry", "status", "words"),
    [
        ({"select": "activation.prelu_backward.numeric.rows", "kind": "xfail"}, 0, "2 xfailed"),
        ({"select": "activation.prelu_backward.numeric.nothing", "kind": "waiver"}, 1, "matches no case"),
        ({"select": "*", "kind": "waiver", "expires": "2020-01-01"}, 1, "expired on 2020-01-01"),
        ({"select": "activation.prelu_backward.numeric.refused", "kind": "xfail"}, 1, "passes although excused"),
        ({"select": "activation.prelu_backward.numeric.rows", "kind": "skip"}, 0, "3 skipped"),
    ],
)
def test_waivers_are_strict_both_ways(entry, status, words, folder, tmp_path, through_pytest, monkeypatch):
    monkeypatch.setattr("conformance.pytest_door.load_listing", lambda: Listing((), ()))
    common = {"reason": "known deviation", "url": "https://example.org/1", "owner": "us", "expires": "2999-01-01"}
    document = {"$schema": "waivers-1.schema.json", "entries": [{**common, **entry}]}
    (tmp_path / "waivers.json").write_text(json.dumps(document))
    runner = f"{LIARS}:WrongSign" if entry["kind"] == "xfail" and "rows" in entry["select"] else "simulator"
    done, output = through_pytest(folder, "--runner", runner, "--waivers", tmp_path / "waivers.json", "--no-isolate")
    assert words in output
    assert done == status


def test_an_interrupted_pytest_run_leaves_a_record_without_footer(folder, tmp_path, through_pytest):
    record = tmp_path / "record.jsonl"
    through_pytest(folder, "-x", "--runner", f"{LIARS}:WrongSign", "--no-isolate", "--record", record)
    read = read_record(record)
    assert read.footer is None
    assert len(read.lines) == 1
