"""The recipes of docs/nightly.md: short, and their commands do what they say, night after night."""

import os
import re
import shlex
import subprocess
import sys
from glob import glob
from pathlib import Path

import pytest
from documents import ROOT, blocks
from fakes import __file__ as fakes
from tiny import prelu_folder, prelu_group, write

from conformance.cli import main
from conformance.record import read_record

RECIPES = {block.file: block.text for block in blocks(ROOT / "docs" / "nightly.md") if block.file}
SCRIPT = "nightly.sh"
JUDGE = "--runner aclnn"
COMMAND = re.compile(r"(?P<test>test ! -f \S+ \|\| )?python -m conformance (?P<words>[^|>\n']+)")
SHARD = re.compile(r"\$(CI_NODE_INDEX|SHARD)")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = prelu_folder(tmp_path / "data")
    write(folder, *(prelu_group(f"group{number}") for number in range(12)), api="aclnnPreluBackward")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "last").mkdir()
    return folder


def test_there_is_a_short_recipe_for_each():
    assert set(RECIPES) == {SCRIPT, ".gitlab-ci.yml", ".github/workflows/nightly.yml", "Jenkinsfile"}
    assert {name: text.count("\n") for name, text in RECIPES.items() if text.count("\n") > 40} == {}


def words_of(command: str, runner: str, folder: Path, shard: str) -> list[str]:
    """A command for this folder, judging another runner; what the shell would put in is put in."""
    text = SHARD.sub(shard, command.replace("$CI_NODE_TOTAL", "2").replace(JUDGE, f"--runner {runner} --no-isolate"))
    words = [found for word in shlex.split(text) for found in (sorted(glob(word)) if "*" in word else [word])]  # noqa: PTH207
    return [*words, "--paths", str(folder)] if words[0] == "run" else words


def night(recipe: str, runner: str, folder: Path) -> dict[str, int]:
    """Status of the commands of a recipe, shards one after the other."""
    statuses = {}
    for found in COMMAND.finditer(RECIPES[recipe]):
        if found["test"] and not Path(found["test"].split()[3]).is_file():
            continue
        for shard in ("1", "2") if SHARD.search(found["words"]) else ("",):
            words = words_of(found["words"], runner, folder, shard)
            statuses[words[0] + shard] = main(words)
    return statuses


@pytest.mark.parametrize("recipe", [name for name in RECIPES if name != SCRIPT])
def test_the_commands_of_a_recipe_see_what_got_worse(recipe, folder, capsys):
    assert night(recipe, "simulator", folder) == {"run1": 0, "run2": 0, "merge": 0, "report": 0}
    for last in ("last.jsonl", "last/all.jsonl"):
        Path(last).write_bytes(Path("all.jsonl").read_bytes())
    statuses = night(recipe, f"{fakes}:WrongSign", folder)
    assert statuses == {"run1": 1, "run2": 1, "merge": 1, "diff": 1, "report": 0}
    assert "regression (12)" in capsys.readouterr().out


def test_the_script_runs_as_it_is(folder, tmp_path):
    text = RECIPES[SCRIPT].replace(f'{JUDGE} --devices "$1"', f"--runner simulator --paths {folder}")
    (tmp_path / SCRIPT).write_text(text)
    shim = tmp_path / "bin" / "python"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{shim.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", SCRIPT], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(read_record(tmp_path / "build" / "last.jsonl").lines) == 12
    assert "<html" in (tmp_path / "build" / "night" / "report.html").read_text()
