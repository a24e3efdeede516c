"""One ATK file → its cases. A case that cannot be run is there all the same, and says why."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from conformance.atk.read import AtkCase, api_of, looks_like_atk, parse_case, read_file
from conformance.atk.rewrites import rules_for
from conformance.atk.standards import standard_for
from conformance.call import DEFAULT_STEPS
from conformance.case import ArgumentSpec, Case, Success, ValueSpec
from conformance.case_id import content_digest, make_id, may_match
from conformance.contract import Basis, Contract, Document
from conformance.errors import InvalidData, InvalidSpec, Location, Problem
from conformance.facets import facets_of_call
from conformance.foreign.bind import Bound, Unbound, bind
from conformance.foreign.draw import Stream
from conformance.foreign.outputs import complete
from conformance.json_text import place_of
from conformance.load import load_contracts
from conformance.product import PRODUCTS
from conformance.signature import snake_name

FAMILY = "atk"
DEADLINE = 650.0
"""Seconds a case may take: ATK's own limit."""


def atk_cases(path: Path, slice_ratio: float = 0.0) -> tuple[list[Case], list[Problem]]:
    """Cases of a file, and the problems of those that cannot be read; raises InvalidData where none can.

    Of that share of the cases, picked by their ids as ATK picks them, every tensor lies with gaps.
    """
    cases: list[Case] = []
    problems: list[Problem] = []
    for one in entries(path):
        if isinstance(one, Problem):
            problems.append(one)
        else:
            read, written = one
            cases.append(_case(read, written, path, _is_sliced(read.id, slice_ratio)))
    return cases, problems


def entries(path: Path) -> Iterator[tuple[AtkCase, Any] | Problem]:
    """Each case of a file as read and as written, or why it cannot be read; raises InvalidData where none can."""
    seen: dict[int, int] = {}
    for place, written in enumerate(read_file(path)):
        try:
            read = parse_case(written, path)
            if seen.setdefault(read.id, place) != place:
                raise InvalidSpec(f"id {read.id} stands twice", f"the first is case {seen[read.id]}", "/id")
        except InvalidSpec as error:
            yield _problem(path, place, error)
        else:
            yield read, written


def cases_or_problem(path: Path, slice_ratio: float = 0.0) -> list[Case]:
    """Every case of a file; raises InvalidData when one cannot be read."""
    cases, problems = atk_cases(path, slice_ratio)
    if problems:
        raise InvalidData(problems)
    return cases


def _problem(path: Path, place: int, error: InvalidSpec) -> Problem:
    text = path.read_text(encoding="utf-8", errors="replace")
    return Problem(Location(path, *place_of(text, f"/{place}{error.pointer}")), str(error), error.advice)


def _is_sliced(number: int, ratio: float) -> bool:
    return ratio > 0 and random.Random(number).random() < ratio


def _case(read: AtkCase, written: Any, path: Path, sliced: bool) -> Case:
    contract = load_contracts().get(read.api)
    bound, products, why = Bound({}, ()), frozenset(PRODUCTS), ""
    arguments: dict[str, ArgumentSpec] = {}
    ruled: dict[str, ValueSpec] = {}
    if contract is None:
        contract, why = _unknown(read.api), f"this suite has no contract of {read.api}"
    else:
        try:
            bound = bind(read.inputs, contract, sliced)
            arguments, products = completed(contract, bound)
            ruled, why = rules_for(contract, path, read.api_type)
        except Unbound as error:
            why = str(error)
    digest = content_digest([written, sliced])
    case_id = make_id((FAMILY, snake_name(read.api), subject_of(path)), [f"id{read.id}", *["sliced"] * sliced], digest)
    words = {read.api, snake_name(read.api), FAMILY, path.stem}
    return Case(
        id=case_id,
        digest=content_digest([case_id, digest]),
        contract=contract,
        path=path,
        group=f"id{read.id}",
        about=f"case {read.id} of {path.name}" + (f", {read.name}" if read.name else ""),
        arguments=arguments,
        nulls=frozenset(),
        steps=DEFAULT_STEPS,
        expectation=Success(degenerate=frozenset(contract.outputs)),
        products=products,
        exercises=(),
        facets=frozenset(words) | facets_of_call(arguments),
        deadline=DEADLINE,
        unsupported=why,
        standard=standard_for(read.acc),
        data=Stream(read.seed, bound.draws, ruled),
    )


def completed(contract: Contract, bound: Bound) -> tuple[dict[str, ArgumentSpec], frozenset[str]]:
    """All arguments, and the products on which they make a legal call; raises Unbound where they do on none."""
    reasons: list[str] = []
    for place, name in enumerate(contract.products):
        try:
            made = complete(contract, bound.arguments, PRODUCTS[name])
        except Unbound as error:
            reasons.append(str(error))
            continue
        others = contract.products[place + 1 :]
        legal = [o for o in others if contract.first_breach(made, PRODUCTS[o], without=Basis.IMPLEMENTATION) is None]
        return made, frozenset([name, *legal])
    raise Unbound(reasons[0] if reasons else f"{contract.api} is on no product")


def subject_of(path: Path) -> str:
    """Word of a file in ids."""
    return re.sub(r"[^a-z0-9_]+", "_", path.stem.lower()).strip("_") or "file"


def _unknown(api: str) -> Contract:
    """What stands in for the contract of an API that the suite does not know."""
    document = Document(api, "", "")
    return Contract(api, FAMILY, document, tuple(PRODUCTS), (), (), {}, True)


def find_atk_files(paths: Iterable[Path], selectors: Sequence[str] = ()) -> list[Path]:
    """ATK's files among paths and in folders, sorted; of those whose name gives an API only what selectors may pick."""
    found: set[Path] = set()
    for path in paths:
        named = path.rglob("*aclnn*.json") if path.is_dir() else [path]
        found.update(one for one in named if one.is_file() and _may_hold(one, selectors) and looks_like_atk(one))
    return sorted(found)


def is_atk_file(path: Path) -> bool:
    """Whether a file in a folder is one of ATK's, by its name and how it begins."""
    return "aclnn" in path.name and path.suffix == ".json" and looks_like_atk(path)


def _may_hold(path: Path, selectors: Sequence[str]) -> bool:
    api = api_of({}, path)
    prefix = f"{FAMILY}.{snake_name(api)}" if api else FAMILY
    return not selectors or any(may_match(selector, prefix) for selector in selectors)


def all_cases(paths: list[Path], slice_ratio: float = 0.0) -> Iterator[Case | Problem]:
    """Cases and problems of many files, one file at a time."""
    for path in paths:
        try:
            cases, problems = atk_cases(path, slice_ratio)
            yield from cases
            yield from problems
        except InvalidData as error:
            yield from error.problems
