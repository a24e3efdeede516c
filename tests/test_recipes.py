"""Every recipe in docs/ works as written: its files are written, its commands run, its outputs compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from documents import ROOT, blocks, copy_project, replay

RECIPES = sorted((ROOT / "docs").glob("add-*.md"))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipe_works_as_written(recipe: Path, tmp_path: Path) -> None:
    copy_project(tmp_path)
    assert replay(recipe, tmp_path) == []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipe_has_at_most_five_steps_and_runs_something(recipe: Path) -> None:
    steps = re.findall(r"^(\d+)\. ", recipe.read_text(encoding="utf-8"), re.MULTILINE)
    assert steps == [str(n + 1) for n in range(len(steps))]
    assert 2 <= len(steps) <= 5
    assert any("conformance run" in block.text for block in blocks(recipe) if block.language == "sh")


def test_a_recipe_that_does_not_work_is_noticed(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.md"
    recipe.write_text("```sh\npython -c 'print(1)'\n```\n```text\n2\n```\n```sh\npython -c 'exit(3)'\n```\n")
    output, status = replay(recipe, tmp_path)
    assert output.startswith("expected\n2\n")
    assert "status 3" in status
