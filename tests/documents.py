"""Fenced code blocks of the documents, and how tests replay them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parent.parent
KEPT_API = "prelu_backward"
"""The API that recipes build on."""
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One code block: its language, the file it is (or ""), and its text."""

    language: str
    file: str
    text: str


def blocks(document: Path) -> Iterator[Block]:
    """Code blocks of a markdown file in order: ```json cases/x.json is a file, ```sh commands, ```text their output."""
    for match in FENCE.finditer(document.read_text(encoding="utf-8")):
        language, _, file = match["info"].partition(" ")
        yield Block(language, file.strip(), dedent(match["text"]))


def commands(text: str) -> Iterator[list[str]]:
    """Words of every command; a # begins a comment."""
    yield from filter(None, (shlex.split(line, comments=True) for line in text.splitlines()))


def copy_project(target: Path) -> None:
    """The parts of the project that a recipe may touch, copied below ``target``; of all cases, those of one API.

    Templates, none of which that API uses, and lists of required cases stay behind.
    """
    others = [path.parent.name for path in (ROOT / "cases").glob("*/*/contract.json") if path.parent.name != KEPT_API]
    shutil.copytree(ROOT / "cases", target / "cases", ignore=shutil.ignore_patterns(*others, "templates", "required"))
    smoke = json.loads((ROOT / "cases" / "smoke.json").read_text(encoding="utf-8"))
    smoke["cases"] = [name for name in smoke["cases"] if name.split(".")[1] == KEPT_API]
    (target / "cases" / "smoke.json").write_text(json.dumps(smoke), encoding="utf-8")
    for name in ("conformance", "runners", "reports"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, target / name)
    _register(target)


def _register(folder: Path) -> None:
    """The entry points of the project's own pyproject.toml, before those of an installation that may be older."""
    toml = (folder / "pyproject.toml").read_text(encoding="utf-8")
    sections = re.findall(r'^\[project\.entry-points\.(?:"([\w.]+)"|(\w+))\]\n((?:\w+ = ".+"\n)+)', toml, re.MULTILINE)
    points = "\n".join(f"[{quoted or plain}]\n{lines.replace(chr(34), '')}" for quoted, plain, lines in sections)
    info = folder / "aclnn_conformance-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aclnn-conformance\nVersion: 0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """One documented command, run with this interpreter on the project in ``folder``."""
    program = {"python": [], "pytest": ["-m", "pytest", "-p", "no:cacheprovider"]}[words[0]]
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "120", "PYTEST_ADDOPTS": ""}
    return subprocess.run(
        [sys.executable, *program, *words[1:]], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def shows(output: str, expected: str) -> bool:
    """Whether every line of ``expected`` stands in ``output`` in that order; … stands for anything."""
    pieces = [re.escape(piece.strip()) for line in expected.splitlines() for piece in line.split("…")]
    return re.search(".*?".join(pieces), output, re.DOTALL) is not None


def install(toml: str, folder: Path) -> None:
    """What ``pip install`` of a package with these entry points leaves behind for the interpreter to find."""
    group = re.search(r'entry-points\."(.+)"', toml)
    assert group is not None
    points = "\n".join(f"{name} = {value}" for name, value in re.findall(r'^(\w+) = "(.+)"$', toml, re.MULTILINE))
    info = folder / "recipe-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: recipe\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{group[1]}]\n{points}\n", encoding="utf-8")


def replay(document: Path, folder: Path) -> list[str]:
    """Do everything a recipe says in ``folder``; returns what did not come out as written."""
    complaints: list[str] = []
    output = ""
    for block in blocks(document):
        if block.file:
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "toml":
            install(block.text, folder)
        elif block.language == "sh":
            done = [(words, run(words, folder)) for words in commands(block.text)]
            output = "".join(result.stdout + result.stderr for _, result in done)
            complaints += [f"{words}: status {r.returncode}\n{r.stdout}{r.stderr}" for words, r in done if r.returncode]
        elif block.language == "text" and not shows(output, block.text):
            complaints.append(f"expected\n{block.text}in\n{output}")
    return complaints
