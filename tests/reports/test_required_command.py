"""``required new`` writes a list once and asks for reasons; ``required diff`` shows them."""

import argparse

import pytest
from tiny import tiny_folder, with_arguments, write

from conformance.errors import ConformanceError
from conformance.required import load_required
from reports.required import add_command


def command(*words: object) -> int:
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    given = parser.parse_args(["required", *map(str, words)])
    status: int = given.handler(given)
    return status


@pytest.fixture
def folder(tmp_path):
    folder = tiny_folder(tmp_path / "data")
    write(folder, values(1, "one"), values(2, "two"))
    return folder


def values(number, name):
    return with_arguments(name, x={"dtype": "float32", "shape": [2, 3], "values": {"constant": number}})


def test_a_changed_case_needs_a_reason(folder, tmp_path, capsys):
    first, second, third = (tmp_path / f"{name}.json" for name in ("2026.1", "2026.2", "2026.3"))
    assert command("new", "2026.1", "-o", first, "--paths", folder) == 0
    assert "2 cases of release 2026.1" in capsys.readouterr().out
    write(folder, values(1, "one"), values(3, "two"))
    new = ("--paths", folder, "--supersedes", first)
    assert command("new", "2026.2", "-o", second, *new) == 1
    assert "NO REASON" in capsys.readouterr().out
    assert command("new", "2026.3", "-o", third, *new, "--reason", "demo.tiny.numeric.two=another value is meant") == 0
    assert command("diff", first, third) == 0
    shown = capsys.readouterr().out
    assert "0 added, 0 removed, 1 recast" in shown
    assert shown.endswith(": another value is meant\n")
    assert load_required(third).supersedes == "2026.1"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-o", "{there}"], "lists are never changed"),
        (["-o", "new.json", "--reason", "demo"], "is not SELECTOR=TEXT"),
        (["-o", "new.json", "--reason", "demo=changed on purpose"], "name it with --supersedes"),
        (["-o", "new.json", "--supersedes", "{there}", "--reason", "a.b=changed on purpose"], "picks no case"),
    ],
)
def test_what_new_refuses(words, complaint, folder, tmp_path):
    there = tmp_path / "2026.1.json"
    command("new", "2026.1", "-o", there, "--paths", folder)
    with pytest.raises(ConformanceError, match=complaint):
        command("new", "2026.2", "--paths", folder, *(word.format(there=there) for word in words))
