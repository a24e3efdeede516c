"""Opens contracts, case files, axis sets and standards: JSON text → schema → frozen types.

A bad file becomes a problem that names file, line and pointer; the other files still load.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.case import CaseFile, Group
from conformance.contract import Contract, parse_contract
from conformance.data import data_root
from conformance.errors import InvalidData, Location, Problem
from conformance.json_text import line_of, read_json
from conformance.promotion import PROMOTION_FILE
from conformance.standard import Standard, parse_standards

CONTRACT_FILE = "contract.json"
TILING_FILE = "tiling.json"
_NOT_CASES = frozenset({CONTRACT_FILE, "sets.json", "standards.json", PROMOTION_FILE})


@dataclass(frozen=True, slots=True)
class Loaded:
    """Case files that are valid, and the problems of those that are not."""

    files: tuple[CaseFile, ...]
    problems: tuple[Problem, ...] = field(default=())


def read_valid(path: Path, name: str) -> tuple[str, Any]:
    """Text and value of a JSON file that keeps schema ``name``; raises InvalidData otherwise."""
    text, document = read_json(path)
    problems = schema.schema_problems(name, document, text, path)
    if problems:
        raise InvalidData(problems)
    return text, document


def find_case_files(paths: Iterable[Path] | None = None) -> list[Path]:
    """Case files under the given files and folders (all of the suite's by default), sorted; contracts left out."""
    found: set[Path] = set()
    for path in paths if paths is not None else [data_root()]:
        if path.is_dir():
            found.update(p for p in path.rglob("*.json") if is_case_file(p))
        else:
            found.add(path)
    return sorted(found)


def is_case_file(path: Path) -> bool:
    """Whether a JSON file's name and place say that it holds cases: a contract lies beside it."""
    return path.name not in _NOT_CASES and path.suffix == ".json" and (path.parent / CONTRACT_FILE).is_file()


def load_contract(path: Path) -> Contract:
    """Contract of one file; raises InvalidData."""
    text, document = read_valid(path, schema.CONTRACT)
    try:
        return parse_contract(document)
    except (KeyError, ValueError, TypeError) as error:
        raise InvalidData([Problem(Location(path, line_of(text, "")), str(error))]) from None


@cache
def load_contracts(root: Path | None = None) -> Mapping[str, Contract]:
    """Contracts by API name under ``root``; files with problems are left out (``lint`` names them)."""
    contracts: dict[str, Contract] = {}
    for path in sorted((root or data_root()).rglob(CONTRACT_FILE)):
        try:
            contract = load_contract(path)
        except InvalidData:
            continue
        contracts[contract.api] = contract
    return contracts


@cache
def load_shared_sets(root: Path | None = None) -> Mapping[str, list[Any]]:
    """Axis sets that every case file may use; raises InvalidData."""
    _, document = read_valid((root or data_root()) / "sets.json", schema.SETS)
    return {name: entry["values"] for name, entry in document["sets"].items()}


def check_promotion(root: Path | None = None) -> None:
    """Raises InvalidData where the promotion tables break their schema; ``promotion`` reads them on its own."""
    read_valid((root or data_root()) / PROMOTION_FILE, schema.PROMOTION)


@cache
def load_tiling(root: Path | None = None) -> Mapping[str, Any]:
    """The document of sizes at which implementations change their way; raises InvalidData."""
    _, document = read_valid((root or data_root()) / TILING_FILE, schema.TILING)
    loaded: Mapping[str, Any] = document
    return loaded


@cache
def load_standards(root: Path | None = None) -> Mapping[str, Standard]:
    """Standards by name; raises InvalidData."""
    _, document = read_valid((root or data_root()) / "standards.json", schema.STANDARDS)
    return parse_standards(document)


def load_case_file(path: Path) -> CaseFile:
    """One case file with the contract beside it; raises InvalidData."""
    text, document = read_valid(path, schema.CASES)
    contract = _contract_of(path, text, document["api"])
    groups = tuple(Group(body["name"], body, f"/groups/{i}") for i, body in enumerate(document["groups"]))
    problems = [
        Problem(
            Location(path, line_of(text, f"{g.pointer}/name"), f"{g.pointer}/name"),
            f"group {g.name!r} stands twice",
        )
        for i, g in enumerate(groups)
        if g.name in {other.name for other in groups[:i]}
    ]
    if problems:
        raise InvalidData(problems)
    return CaseFile(path, text, contract, {**load_shared_sets(), **document.get("sets", {})}, groups)


def _contract_of(path: Path, text: str, api: str) -> Contract:
    beside = path.parent / CONTRACT_FILE
    contract = load_contract(beside) if beside.is_file() else load_contracts().get(api)
    if contract is None or contract.api != api:
        known = [contract.api] if contract is not None else sorted(load_contracts())
        where = Location(path, line_of(text, "/api"), "/api")
        raise InvalidData([Problem(where, f"unknown API {api!r}", f"contracts here are of {', '.join(known)}")])
    return contract


def load_case_files(paths: Iterable[Path] | None = None) -> Loaded:
    """Every case file under ``paths`` that is valid, with the problems of the others."""
    files: list[CaseFile] = []
    problems: list[Problem] = []
    for path in find_case_files(paths):
        try:
            files.append(load_case_file(path))
        except InvalidData as error:
            problems.extend(error.problems)
    # A broken contract is the problem of every case file beside it, and still one problem.
    return Loaded(tuple(files), tuple(dict.fromkeys(problems)))
