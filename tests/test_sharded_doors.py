"""Shards, order, repetition and resumption through both doors."""

import json

import pytest
from tiny import prelu_folder, prelu_group, write

from conformance.cli import main
from conformance.merge import merge
from conformance.record import read_record

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
