"""The command ``report``: where it writes, and which options a form takes."""

import os
import subprocess
import sys

import pytest

from conformance import commands
from conformance.errors import InvalidOption

HEADER = b'{"kind":"header","version":"record-1"}\n'


@pytest.fixture
def form(monkeypatch, tmp_path):
    (tmp_path / "r.jsonl").write_bytes(HEADER + b'{"kind":"case"}\n')

    def printer(path, console, *, history=()):
        console.file.write(f"{path.name} after {[one.name for one in history]} \ud800\n")

    monkeypatch.setattr(commands, "find_report", lambda name: printer)


def test_a_report_is_written_to_a_file_in_a_new_folder_whatever_it_holds(form, tmp_path):
    out = tmp_path / "deep" / "page.txt"
    assert commands.report("form", tmp_path / "r.jsonl", out, history=[tmp_path / "old"]) == 0
    assert out.read_text(encoding="utf-8") == "r.jsonl after ['old'] \\ud800\n"


@pytest.mark.parametrize(
    ("output", "options", "said"),
    [
        ("page.txt", {"beside": ["other"]}, "report form takes no --beside"),
        (".", {}, "cannot be written"),
    ],
)
def test_what_a_form_does_not_take_or_cannot_write_is_said(form, tmp_path, output, options, said):
    with pytest.raises(InvalidOption, match=said):
        commands.report("form", tmp_path / "r.jsonl", tmp_path / output, **options)


@pytest.mark.parametrize("rest", [b"", b'{"kind":"foo', b'{"kind":"footer"}\n'])
def test_a_report_about_no_case_is_written_and_red(form, tmp_path, rest, capsys):
    record, out = tmp_path / "none.jsonl", tmp_path / "page.txt"
    record.write_bytes(HEADER + rest)
    assert commands.report("form", record, out) == 1
    assert out.read_text(encoding="utf-8").startswith("none.jsonl")
    assert f"{record}: holds no case" in capsys.readouterr().err


def test_a_terminal_that_cannot_show_a_text_gets_its_escape(tmp_path):
    program = (
        "import sys; from conformance import cli, commands;"
        "commands.report = lambda *given, **rest: print('\\udc80 余量') or 0;"
        "sys.exit(cli.main(['report', 'markdown']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
        check=True,
    )
    assert ran.stdout == b"\\udc80 \\u4f59\\u91cf\n"
