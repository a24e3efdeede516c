"""Opens contracts, case files, axis sets and standards: JSON text → schema → frozen types.

A bad file becomes a problem that names file, line and pointer; the other files still load.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from conformance import schema
from conformance.case import CaseFile, Group
from conformance.contract import Contract, parse_contract
from conformance.data import CONTRACT_FILE, PROMOTION_FILE, data_root, find_case_files, find_templates, root_of
from conformance.errors import InvalidData, InvalidSpec, Location, NothingSelected, Problem
from conformance.json_text import line_of, place_of
from conformance.standard import Standard, parse_standards
from conformance.template import Template, over, parse_template
from conformance.template_use import apply_template, sets_of
from conformance.waiver import Waiver, parse_waivers

TILING_FILE = "tiling.json"
ATK_FILE = "atk.json"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Case files that are valid, and the problems of those that are not."""

    files: tuple[CaseFile, ...]
    problems: tuple[Problem, ...] = field(default=())


def load_contract(path: Path) -> Contract:
    """Contract of one file; raises InvalidData."""
    text, document = schema.read_valid(path, schema.CONTRACT)
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


def contracts_named(apis: Sequence[str]) -> Mapping[str, Contract]:
    """Contracts of the APIs named, all where none is; raises NothingSelected, with names like one that is unknown."""
    known = load_contracts()
    for api in apis:
        if api not in known:
            near = get_close_matches(api, known, n=5, cutoff=0.5)
            advice = f"near names: {', '.join(near)}" if near else f"there are {', '.join(known)}"
            raise NothingSelected(f"no contract of {api!r} ({advice})")
    return {api: known[api] for api in apis or known}


@cache
def load_shared_sets(root: Path | None = None) -> Mapping[str, list[Any]]:
    """Axis sets that every case file may use; raises InvalidData."""
    _, document = schema.read_valid((root or data_root()) / "sets.json", schema.SETS)
    return {name: entry["values"] for name, entry in document["sets"].items()}


def check_promotion(root: Path | None = None) -> None:
    """Raises InvalidData where the promotion tables break their schema; ``promotion`` reads them on its own."""
    schema.read_valid((root or data_root()) / PROMOTION_FILE, schema.PROMOTION)


@cache
def load_tiling(root: Path | None = None) -> Mapping[str, Any]:
    """The document of sizes at which implementations change their way; raises InvalidData."""
    _, document = schema.read_valid((root or data_root()) / TILING_FILE, schema.TILING)
    loaded: Mapping[str, Any] = document
    return loaded


@cache
def load_input_rules(root: Path | None = None) -> Mapping[str, Mapping[str, Any]]:
    """API → parameter → how an input that ATK's files alone do not describe is filled; raises InvalidData."""
    _, document = schema.read_valid((root or data_root()) / ATK_FILE, schema.ATK)
    rules: Mapping[str, Mapping[str, Any]] = document["inputs"]
    return rules


@cache
def load_standards(root: Path | None = None) -> Mapping[str, Standard]:
    """Standards by name; raises InvalidData."""
    _, document = schema.read_valid((root or data_root()) / "standards.json", schema.STANDARDS)
    return parse_standards(document)


def load_case_file(path: Path) -> CaseFile:
    """One case file with the contract beside it; raises InvalidData."""
    text, document = schema.read_valid(path, schema.CASES)
    contract = _contract_of(path, text, document["api"])
    try:
        sets, shared = _from_template(path, document, contract)
        sets = _without_references(sets)
    except InvalidSpec as error:
        where = Location(path, *place_of(text, error.pointer))
        raise InvalidData([Problem(where, str(error), error.advice)]) from None
    own = (Group(body["name"], body, f"/groups/{i}") for i, body in enumerate(document.get("groups", ())))
    file = CaseFile(path, text, contract, sets, (*shared, *own))
    problems = [
        Problem(file.place(g, "/name"), f"group {g.name!r} stands twice")
        for i, g in enumerate(file.groups)
        if g.name in {other.name for other in file.groups[:i]}
    ]
    if problems:
        raise InvalidData(problems)
    return file


def _from_template(path: Path, document: Any, contract: Contract) -> tuple[dict[str, Any], tuple[Group, ...]]:
    """Axis sets of a case file as written, and the groups of the template that it names."""
    if "template" not in document:
        return document.get("sets", {}), ()
    known = {found.stem: found for found in find_templates(root_of(path))}
    if document["template"] not in known:
        advice = f"templates are {', '.join(known) or 'none'}"
        raise InvalidSpec(f"there is no template {document['template']!r}", advice, "/template")
    template = load_template(known[document["template"]])
    return sets_of(template, document), apply_template(template, document, contract)


def _without_references(sets: dict[str, Any]) -> dict[str, list[Any]]:
    """Axis sets over the shared ones; ``"@name"`` in place of values stands for a shared set."""
    shared = load_shared_sets()
    for name, values in sets.items():
        if isinstance(values, str) and values[1:] not in shared:
            advice = f"shared sets are {', '.join(sorted(shared))}"
            raise InvalidSpec(f"set {name!r} refers to unknown set {values!r}", advice, f"/sets/{name}")
    own = {name: shared[values[1:]] if isinstance(values, str) else values for name, values in sets.items()}
    return {**shared, **own}


@cache
def load_template(path: Path) -> Template:
    """Template of one file with those that it takes in; raises InvalidData."""
    return _whole_template(path, ())


def forget_templates() -> None:
    """Read every template again when it is next asked for."""
    load_template.cache_clear()


def _whole_template(path: Path, seen: tuple[str, ...]) -> Template:
    text, document = schema.read_valid(path, schema.TEMPLATES)
    template = parse_template(document, text, path)
    seen = (*seen, template.name)
    known = {found.stem: found for found in path.parent.glob("*.json")}
    for number, name in enumerate(template.takes):
        if name in seen or name not in known:
            pointer = f"/takes/{number}"
            what = f"takes itself in by way of {name!r}" if name in seen else f"there is no template {name!r}"
            raise InvalidData([Problem(Location(path, *place_of(text, pointer)), what, "name another template")])
    return over(template, [_whole_template(known[name], seen) for name in template.takes])


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


def load_waivers(paths: tuple[Path, ...]) -> tuple[Waiver, ...]:
    """Entries of every waiver file; raises InvalidData."""
    waivers: list[Waiver] = []
    for path in paths:
        text, document = schema.read_valid(path, schema.WAIVERS)
        waivers.extend(parse_waivers(document, text, path))
    return tuple(waivers)
