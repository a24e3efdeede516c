"""Shards, order, repetition and resumption through both doors."""

import json
from pathlib import Path

import fakes
import pytest
from tiny import prelu_folder, prelu_group, write

from conformance.cli import main
from conformance.merge import merge
from conformance.record import RecordWriter, read_record

ROOT = Path(__file__).resolve().parent.parent
GROUPS = [prelu_group(f"group{number}") for number in range(14)]


@pytest.fixture
def folder(tmp_path):
    folder = prelu_folder(tmp_path)
    write(folder, *GROUPS, api="aclnnPreluBackward")
    return folder


def ids(path):
    return [line["id"] for line in read_record(path).lines]


@pytest.fixture
def native(folder, tmp_path):
    def run(record, *words):
        status = main(["run", "--paths", str(folder), "--record", str(tmp_path / record), *words])
        return status, tmp_path / record

    return run


def test_shards_of_both_doors_are_the_same_and_merge(folder, native, pytester, tmp_path):
    paths = []
    for index in (1, 2, 3):
        shard, theirs = f"{index}/3", tmp_path / f"pytest{index}.jsonl"
        status, path = native(f"native{index}.jsonl", "--shard", shard)
        words = ["-p", "xdist", "-n", "2"] if index == 2 else []
        found = pytester.runpytest_subprocess(str(folder), *words, "--shard", shard, "--record", str(theirs))
        assert (status, found.ret) == (0, 0)
        assert sorted(ids(theirs)) == sorted(ids(path))
        assert read_record(theirs).header["shard"] == read_record(path).header["shard"]
        paths.append(theirs if index == 2 else path)
    whole = merge([read_record(path) for path in paths], tmp_path / "all.jsonl")
    assert len(whole.lines) == len(GROUPS)


def test_what_is_no_share_is_a_usage_error_in_both_doors(native, folder, pytester, capsys):
    with pytest.raises(SystemExit):
        native("a.jsonl", "--shard", "4/3")
    assert "--shard '4/3' is not I/N" in capsys.readouterr().err
    found = pytester.runpytest_subprocess(str(folder), "--shard", "x")
    assert found.ret == pytest.ExitCode.USAGE_ERROR


def test_a_shuffled_run_has_the_same_cases_in_an_order_that_the_seed_tells(native):
    plain, one, again, other = (
        ids(native(f"{number}.jsonl", *words)[1])
        for number, words in enumerate([[], ["--shuffle", "1"], ["--shuffle", "1"], ["--shuffle", "2"]])
    )
    assert sorted(plain) == sorted(one)
    assert one == again
    assert len({tuple(plain), tuple(one), tuple(other)}) == 3


def test_a_run_that_was_cut_off_is_resumed(native):
    _, path = native("r.jsonl")
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:5]) + whole[5][:40])
    status, _ = native("r.jsonl", "--resume")
    strip = [{**json.loads(text), "seconds": 0} for text in whole[1:-1]]
    assert status == 0
    assert [{**line, "seconds": 0} for line in read_record(path).lines] == strip
    assert path.read_bytes().splitlines(keepends=True)[:5] == whole[:5]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [([], "its run ended, nothing is left to resume"), (["--seed", "3"], "its seed is 0, now it would be 3")],
)
def test_what_cannot_be_resumed_says_why(native, words, complaint, capsys):
    _, path = native("r.jsonl")
    if words:
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:4]))
    assert native("r.jsonl", "--resume", *words)[0] == 2
    assert complaint in capsys.readouterr().err


def test_bisect_says_that_a_case_passes(folder, capsys):
    assert main(["bisect", "activation.prelu_backward.numeric.group9", "--paths", str(folder)]) == 1
    assert "passes, alone and after 9 cases" in capsys.readouterr().out


@pytest.fixture
def through_pytest(folder, pytester, tmp_path, monkeypatch):
    """Status and record of a pytest run in a process of its own, on the code of this checkout."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def run(record, *words):
        found = pytester.runpytest_subprocess("-q", str(folder), f"--record={tmp_path / record}", *words)
        return found.ret, tmp_path / record, found.stdout.str() + found.stderr.str()

    return run


def cut(path, lines):
    """Leave a record as a process leaves it that was killed in the middle of a line."""
    texts = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(texts[:lines]) + texts[lines][:40])


@pytest.mark.parametrize("words", [[], ["-n", "2", "--shard", "1/1"]], ids=["one process", "workers"])
def test_pytest_resumes_a_run_that_was_cut_off(words, through_pytest):
    _, path, _ = through_pytest("r.jsonl", *words)
    whole = read_record(path)
    cut(path, 5)
    status, _, output = through_pytest("r.jsonl", "--resume", *words)
    again = read_record(path)
    assert (status, again.footer is not None) == (0, True)
    assert again.header == whole.header
    assert again.lines[:4] == whole.lines[:4]
    assert sorted(ids(path)) == sorted(line["id"] for line in whole.lines)
    assert f"{len(GROUPS) - 4} passed" in output


def test_pytest_ends_a_record_that_lacks_only_its_footer(through_pytest):
    _, path, _ = through_pytest("r.jsonl")
    cut(path, len(GROUPS) + 1)
    status, _, output = through_pytest("r.jsonl", "--resume")
    assert (status, read_record(path).footer is not None) == (0, True)
    assert f"conformance: {len(GROUPS)} passed" in output


def test_either_door_goes_on_with_a_record_of_the_other(native, through_pytest):
    _, path, _ = through_pytest("r.jsonl")
    cut(path, 5)
    assert native("r.jsonl", "--resume")[0] == 0
    cut(path, 5)
    assert through_pytest("r.jsonl", "--resume")[0] == 0
    assert len(read_record(path).lines) == len(GROUPS)


@pytest.mark.parametrize(
    ("first", "second", "complaint"),
    [
        ([], [], "its run ended, nothing is left to resume"),
        ([], ["--seed", "3"], "its seed is 0, now it would be 3"),
        (["--shard", "1/2"], ["--shard", "2/2"], "its shard's index is 1, now it would be 2"),
        ([], ["--repeat", "2"], "its option repeat is None, now it would be 2"),
    ],
    ids=["ended", "seed", "shard", "repeat"],
)
def test_what_pytest_cannot_resume_is_a_usage_error(first, second, complaint, native, through_pytest):
    _, path = native("r.jsonl", *first)
    if second:
        cut(path, 3)
    before = path.read_bytes()
    status, _, output = through_pytest("r.jsonl", "--resume", *second)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert complaint in output
    assert path.read_bytes() == before


def test_cases_that_were_lost_are_run_again(native):
    """With and without footer: the infrastructure was lost, or the worker that ran a case was killed."""
    _, path = native("r.jsonl")
    whole = read_record(path)
    with RecordWriter(path, whole.header) as writer:
        for number, line in enumerate(whole.lines):
            kept = {key: value for key, value in line.items() if key != "outcome"}
            writer.add({**kept, "verdict": "broken" if number == 3 else "not_run"} if number > 2 else line)
    assert native("r.jsonl", "--resume")[0] == 0
    assert sorted(ids(path)) == sorted(line["id"] for line in whole.lines)
    assert {line["verdict"] for line in read_record(path).lines} == {"passed"}


def test_nothing_to_resume_is_a_run_from_the_start(native, through_pytest, tmp_path):
    (tmp_path / "r.jsonl").write_bytes(b'{"kind":"header","vers')
    assert native("r.jsonl", "--resume")[0] == 0
    assert through_pytest("other.jsonl", "--resume")[0] == 0


def test_flaky_cases_are_counted(native, capsys):
    assert native("r.jsonl", "--runner", f"{fakes.__file__}:Flaky", "--no-isolate")[0] == 1
    shown = capsys.readouterr().out
    assert "not conforming: 2 failed, 1 of them flaky" in shown
    assert "flaky      1 of 2 failed cases passed when they were run again" in shown


def test_a_record_that_lacks_only_its_footer_is_ended(folder, pytester, tmp_path):
    """The gathering process was killed after the last case; of its workers nothing new is heard."""
    path = tmp_path / "theirs.jsonl"
    words = [str(folder), "-p", "xdist", "-n", "2", "--shard", "2/3", "--record", str(path)]
    assert pytester.runpytest_subprocess(*words).ret == 0
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:-1]))
    assert pytester.runpytest_subprocess(*words, "--resume").ret == 0
    assert path.read_bytes().splitlines(keepends=True)[:-1] == whole[:-1]
    assert read_record(path).footer["cases"] == len(whole) - 2
