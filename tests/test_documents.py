"""README and docs/ agree with the program: commands, options, columns, names, links."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest
from documents import ROOT, Block, blocks, commands, run
from shipped import shipped_cases

from conformance.caches import CACHES
from conformance.cli import main
from conformance.load import load_standards, load_waivers
from conformance.select import select
from conformance.verdict import Verdict
from conformance.waiver import WaiverKind

README = ROOT / "README.md"
README_ZH = ROOT / "README.zh.md"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
DESIGN = ROOT / "docs" / "design.md"
SELECTING = (["list"], ["show"], ["run"])
VERDICTS = ROOT / "docs" / "verdicts.md"


def text(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def shell_commands(*documents: Path) -> Iterator[list[str]]:
    for document in documents:
        for block in blocks(document):
            if block.language == "sh":
                yield from commands(block.text)


def options_in(words: list[str]) -> set[str]:
    return {word.partition("=")[0] for word in words if word.startswith("--")}


def help_of(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as exit_:
        main([*command, "--help"])
    assert exit_.value.code == 0
    return capsys.readouterr().out


def test_every_conformance_command_in_the_documents_exists(capsys: pytest.CaptureFixture[str]) -> None:
    used: dict[tuple[str, ...], set[str]] = {}
    for words in shell_commands(*DOCUMENTS):
        if words[1:3] == ["-m", "conformance"]:
            command = tuple(words[3:5] if words[3] in ("new", "required") else words[3:4])
            used.setdefault(command, set()).update(options_in(words))
    assert ("run",) in used
    for command, options in used.items():
        unknown = options - set(re.findall(r"--[a-z-]+", help_of(list(command), capsys)))
        assert not unknown, f"{command} has no {unknown}"


def test_every_selector_in_the_readme_picks_cases() -> None:
    cases = shipped_cases()
    used = [list(takewhile(is_selector, words[4:])) for words in shell_commands(README) if words[3:4] in SELECTING]
    assert len(used) >= 3
    assert all(select(cases, selectors) for selectors in used)


def is_selector(word: str) -> bool:
    return not word.startswith("--")


def test_readme_names_every_command_of_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    known = re.findall(r"^    (\w+) ", help_of([], capsys), re.MULTILINE)
    assert "run" in known
    assert [name for name in known if f"python -m conformance {name}" not in text(README)] == []


def test_the_table_of_variables_names_those_that_the_program_reads_and_that_of_caches_all_caches() -> None:
    rows = [line for line in text(ROOT / "docs" / "performance.md").splitlines() if line.startswith("| `")]
    sources = [path for package in ("conformance", "runners", "reports") for path in (ROOT / package).rglob("*.py")]
    read = {name for path in sources for name in re.findall(r"\bCONFORMANCE_[A-Z_]+", text(path))}
    assert {name for row in rows for name in re.findall(r"CONFORMANCE_[A-Z_]+", row)} == read
    assert {row.split("`")[1] for row in rows if "CONFORMANCE_" not in row} >= CACHES.keys()


def test_every_pytest_option_in_the_documents_exists() -> None:
    used = set().union(*(options_in(words) for words in shell_commands(*DOCUMENTS) if words[0] == "pytest"))
    assert "--runner" in used
    assert used <= set(re.findall(r"--[a-z-]+", run(["pytest", "--help"], ROOT).stdout))


def test_every_make_target_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^(\w[\w-]*):", text(ROOT / "Makefile"), re.MULTILINE))
    used = {words[1] for words in shell_commands(*DOCUMENTS) if words[0] == "make"}
    assert {"conformance", "test"} <= used <= targets


def test_the_output_in_the_readme_is_what_the_program_prints(tmp_path: Path) -> None:
    shown = next(block for block in blocks(README) if block.language == "text").text.splitlines()
    record = str(tmp_path / "record.jsonl")
    printed = run(
        ["python", "-m", "conformance", "run", "activation.prelu_backward.numeric", "--record", record], ROOT
    ).stdout.splitlines()
    assert columns_of(shown) == columns_of(printed)
    assert facts_of(shown) == facts_of(printed)


def columns_of(lines: list[str]) -> list[str]:
    """Columns that every run shows; others come and go with their verdicts."""
    header = next(line for line in lines if line.startswith("API "))
    optional = {verdict.value for verdict in Verdict} - {"passed", "failed"}
    return [word for word in re.split(r"  +", header.strip()) if word not in optional]


def facts_of(lines: list[str]) -> list[str]:
    """Words that begin the lines below the table."""
    below = lines[next(number for number, line in enumerate(lines) if line.startswith("all ")) + 1 :]
    return [re.split(r"  +", line)[0] for line in below if line[:1].strip()]


def test_both_readmes_give_the_same_commands_and_output() -> None:
    def given(document: Path) -> list[object]:
        return [list(commands(b.text)) if b.language == "sh" else b for b in blocks(document)]

    assert given(README_ZH) == given(README)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text(document)):
        path, _, anchor = target.partition("#")
        if not target.startswith("http"):
            linked = document.parent / path if path else document
            assert linked.exists(), target
            assert not anchor or anchor in headings(linked), target


def headings(document: Path) -> list[str]:
    return [
        re.sub(r"[^\w-]", "", line.lower().replace(" ", "-")) for line in re.findall(r"^#+ (.+)$", text(document), re.M)
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_readme_or_a_linked_document_links_every_document(document: Path) -> None:
    if document.parent == ROOT / "docs":
        assert f"docs/{document.name}" in text(README)
        assert f"docs/{document.name}" in text(README_ZH)


def test_design_gives_every_module_of_the_core_its_level() -> None:
    levels = levels_in_design()
    modules = {path.stem for path in (ROOT / "conformance").glob("*.py")} - {"__init__", "__main__"}
    assert levels.keys() == modules


def test_modules_import_from_their_level_in_design_or_above() -> None:
    levels = levels_in_design()
    wrong = [
        f"{name} imports {imported}"
        for name in levels
        for imported in imports_of(ROOT / "conformance" / f"{name}.py")
        if levels.get(imported, 0) > levels[name]
    ]
    assert wrong == []


def levels_in_design() -> dict[str, int]:
    table = text(DESIGN).partition("by level")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    return {name: number for number, row in enumerate(rows) for name in re.findall(r"`(\w+)`", row)}


def imports_of(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(text(module))):
        if isinstance(node, ast.ImportFrom) and node.module == "conformance":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("conformance."):
            yield (node.module or "").split(".")[1]


def test_verdicts_md_names_every_verdict_standard_and_kind_of_waiver() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in text(VERDICTS).splitlines() if "|" in line]
    names = {re.findall(r"`(\w+)`", name)[0]: second for name, second in rows if "`" in name}
    expected = {verdict.value for verdict in Verdict} | {kind.value for kind in WaiverKind} | set(load_standards())
    assert names.keys() == expected
    assert {name: names[name] for name in load_standards()} == {n: s.version for n, s in load_standards().items()}


def waiver_blocks() -> list[Block]:
    return [block for document in DOCUMENTS for block in blocks(document) if block.file == "waivers.json"]


@pytest.mark.parametrize("block", waiver_blocks(), ids=lambda block: json.loads(block.text)["entries"][0]["select"])
def test_waivers_in_the_documents_are_valid(block: Block, tmp_path: Path) -> None:
    path = tmp_path / block.file
    path.write_text(block.text, encoding="utf-8")
    assert load_waivers((path,))
