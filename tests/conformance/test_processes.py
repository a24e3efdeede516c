"""Several processes come to the same record as one; whatever happens to one of them costs one case at most."""

import json

import fakes
import pytest
from tiny import REFUSED, prelu_folder, prelu_group, write

from conformance.cli import main
from conformance.record import read_record
from conformance.verdict import Verdict

GROUPS = (
    prelu_group(shape="$shape", axes={"shape": [[rows, 2] for rows in (3, 4, 5, 6, 7, 8)]}),
    REFUSED,
    prelu_group("elsewhere", products=["ascend910"]),
)
DIES = """
import os
from runners.reference.runner import ReferenceRunner
from runners.simulator.runner import SimulatorRunner

class DiesOfFiveRows(SimulatorRunner):
    def run(self, call):
        if call.arguments["self"].shape == (5, 2):
            os._exit(7)
        return super().run(call)

class AnswersUntilFiveRows(ReferenceRunner):
    def golden(self, call):
        if call.arguments["self"].shape == (5, 2):
            os._exit(7)
        return super().golden(call)
"""


@pytest.fixture
def folder(tmp_path):
    tensor = {"dtype": "float32", "shape": "$shape"}
    folder = prelu_folder(tmp_path)
    groups = [json.loads(json.dumps(group).replace('["$shape"]', '"$shape"')) for group in GROUPS]
    groups[0]["arguments"]["weight"]["shape"] = groups[0]["arguments"]["gradWeight"]["shape"] = [2]
    for name in ("gradOutput", "self", "gradInput"):
        groups[0]["arguments"][name] = {**groups[0]["arguments"][name], **tensor}
    write(folder, *groups, api="aclnnPreluBackward")
    return folder


@pytest.fixture
def run(folder, tmp_path, capsys):
    """Status, output and record of a native run over the folder."""

    def run(*words, name="record.jsonl"):
        record = tmp_path / name
        status = main(["run", "--paths", str(folder), "--record", str(record), *map(str, words)])
        return status, capsys.readouterr(), record

    return run


def told(record):
    """What the cases of a record came to, whatever their order and how long they took."""
    lines = [{key: value for key, value in line.items() if key != "seconds"} for line in read_record(record).lines]
    return sorted(lines, key=lambda line: line["id"])


def test_two_processes_come_to_the_record_of_one(run):
    alone, _, one = run(name="one.jsonl")
    together, _, two = run("--jobs", 2, name="two.jsonl")
    assert (alone, together) == (0, 0)
    assert told(one) == told(two)
    assert [read_record(path).header["runner"] for path in (one, two)] == [read_record(one).header["runner"]] * 2
    assert not list(two.parent.glob("*.running"))


def test_red_cases_are_explained_and_waivers_looked_at(run, tmp_path):
    entry = {
        "select": "nothing",
        "kind": "skip",
        "reason": "known hang",
        "url": "u",
        "owner": "o",
        "expires": "2999-01-01",
    }
    (tmp_path / "w.json").write_text(json.dumps({"$schema": "waivers-1.schema.json", "entries": [entry]}))
    status, printed, record = run(
        "--jobs", 2, "--runner", f"{fakes.__file__}:WrongSign", "--waivers", tmp_path / "w.json"
    )
    assert (status, printed.err) == (1, "")
    assert "worst at [" in printed.out
    assert "'nothing' matches no case" in printed.out
    assert read_record(record).complaints


def test_a_process_that_dies_costs_the_cases_it_was_at(run, tmp_path):
    (tmp_path / "dies.py").write_text(DIES)
    status, printed, record = run("--jobs", 2, "--no-isolate", "--runner", f"{tmp_path / 'dies.py'}:DiesOfFiveRows")
    counts = read_record(record).counts
    assert status == 1
    assert counts == {Verdict.PASSED: 10, Verdict.BROKEN: 2, Verdict.SKIPPED: 1}  # refused rows of five too
    assert "the suite's process died, exit status 7" in printed.out


def test_a_reference_that_dies_costs_the_case_it_was_asked_about(run, tmp_path):
    (tmp_path / "dies.py").write_text(DIES)
    status, _, record = run("--jobs", 2, "--reference", f"{tmp_path / 'dies.py'}:AnswersUntilFiveRows")
    assert status == 1
    broken = [line["id"] for line in read_record(record).lines if line["verdict"] == "broken"]
    assert [name.rsplit(".", 2)[1] for name in broken] == ["5x2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--standard", "lax"], "unknown standard 'lax'"),
        (["--runner", "nobody"], "unknown runner 'nobody'"),
    ],
)
def test_what_a_process_refuses_ends_the_run(words, message, run):
    status, printed, record = run("--jobs", 2, *words)
    assert status == 2
    assert message in printed.err
    assert record.read_bytes() == b""


def test_an_interrupted_run_goes_on(run):
    _, _, record = run(name="whole.jsonl")
    whole, texts = told(record), record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(texts[:4]))
    status, _, record = run("--jobs", 2, "--resume", name="whole.jsonl")
    assert status == 0
    assert told(record) == whole


@pytest.mark.parametrize("jobs", ["0", "-1", "two"])
def test_no_number_of_processes(jobs, run, capsys):
    with pytest.raises(SystemExit):
        run("--jobs", jobs)
    assert "is no number of processes" in capsys.readouterr().err
