"""The commands fuzz and generate: files, exit statuses, and never green over nothing."""

import shlex

import pytest

from conformance.cli import main
from runners.fuzz import command

PLANTED = "tests/runners/fuzz/planted.py"
SILU = ["fuzz", "--api", "aclnnSilu", "--calls", "400"]


def test_a_clean_runner_is_green_with_counts(capsys, tmp_path):
    assert main([*SILU, "-o", str(tmp_path)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("aclnnSilu: ")
    assert line.endswith("0 findings")
    assert " 0 legal calls" not in line
    assert list(tmp_path.iterdir()) == []


def test_a_finding_is_red_and_its_command_shows_it_again(capsys, tmp_path, request):
    liar = f"{request.path.parent / 'planted.py'}:OffsetIgnored"
    assert main([*SILU, "--runner", liar, "--no-isolate", "-o", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    again = next(line for line in printed.splitlines() if "python -m conformance run" in line)
    words = shlex.split(again)[3:]
    record = ["--record", str(tmp_path / "record.jsonl")]
    assert main([*words, *record]) == 1
    assert main(["run", "--paths", words[2], *record]) == 0


def test_calls_are_counted_the_same_on_every_machine(capsys, tmp_path):
    def counted(*words):
        assert main([*SILU, "-o", str(tmp_path), *words]) == 0
        return capsys.readouterr().out

    assert counted() == counted() != counted("--seed", "1")


def test_nothing_looked_at_is_red(capsys, tmp_path):
    assert main(["fuzz", "--api", "aclnnSilu", "--seconds", "1e-9", "-o", str(tmp_path)]) == 1
    assert "no legal call and no refusal was made" in capsys.readouterr().out


def test_a_broken_relation_is_replayed_from_its_file(capsys, tmp_path, request):
    path = tmp_path / "f.json"
    path.write_text(
        '{"$schema": "s", "api": "aclnnHardshrink", "groups": [{"name": "legal", "about": "a legal call of a test",'
        ' "arguments": {"self": {"dtype": "float32", "shape": [3]}, "lambd": {"scalar": 0.5},'
        ' "out": {"dtype": "float32", "shape": [3]}}, "expect": "success"}]}'
    )
    assert main(["fuzz", "--replay", str(path)]) == 0
    liar = f"{request.path.parent / 'test_fuzz_relations.py'}:KeepsPlaces"
    assert main(["fuzz", "--replay", str(path), "--runner", liar, "--no-isolate"]) == 1
    assert "breaks reversal: out: element" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["fuzz", "--api", "aclnnNothing"], "no contract of 'aclnnNothing'"),
        (["fuzz", "--api", "aclnnHardshrink", "--product", "ascend950"], "lists ascend950"),
        (["fuzz", "--product", "ascend1"], "unknown product"),
        (["generate", "--api", "aclnnNothing"], "no contract of 'aclnnNothing'"),
    ],
)
def test_bad_use_is_one_line(words, complaint, capsys):
    assert main(words) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize("words", [["fuzz"], ["generate", "--api", "aclnnSilu"]])
def test_a_missing_library_is_named_with_the_extra(words, capsys, monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert main(words) == 2
    assert "pip install 'aclnn-conformance[fuzz]'" in capsys.readouterr().err
