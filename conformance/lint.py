"""Truths across files: contracts and cases agree, every declared cell has a case, prose keeps its style."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from conformance.canonical import not_canonical
from conformance.case import Case, Expectation, Refusal, Unspecified
from conformance.cells import BREAKS, EXITS, KEEPS, REFUSAL, Cell
from conformance.contract import Basis, Contract
from conformance.corpus import Corpus
from conformance.coverage import coverage_of, stale_reasons
from conformance.data import CONTRACT_FILE, data_root, find_templates
from conformance.errors import InvalidData, Location, Problem
from conformance.load import (
    check_promotion,
    load_contract,
    load_contracts,
    load_shared_sets,
    load_standards,
    load_template,
    load_tiling,
)
from conformance.outcome import Phase
from conformance.product import PRODUCTS
from conformance.required_changes import problems_of_lists
from conformance.status import status_name
from conformance.tier import load_smoke, stale_names

_SIDES = {BREAKS: "breaks it", KEEPS: "keeps it", EXITS: "takes this exit"}
_NAMED = 4
_WORDS_NOT_FACTS = re.compile(r"\b(should|tests? that|verify|verifies|check that|TODO)\b", re.IGNORECASE)


def lint_corpus(corpus: Corpus, *, whole: bool) -> list[Problem]:
    """Problems of valid files; ``whole`` also asks for every contract and for coverage of its constraints."""
    problems = [*_form(corpus, templates=whole), *_prose(corpus), *_labels(corpus), *_agreement(corpus)]
    if whole:
        problems += [*_contracts(), *_shared(), *_templates(corpus), *_coverage(corpus), *_smoke(corpus)]
        problems += problems_of_lists(corpus.cases, data_root())
    return problems


def _form(corpus: Corpus, *, templates: bool) -> Iterator[Problem]:
    paths = [file.path for file in corpus.files]
    for path, _ in not_canonical([*paths, *(find_templates() if templates else ())]):
        yield Problem(Location(path), "not in canonical form", "run lint --fix")


def _prose(corpus: Corpus) -> Iterator[Problem]:
    for file in corpus.files:
        seen: dict[str, str] = {}
        for group in file.groups:
            about = group.body["about"]
            if _WORDS_NOT_FACTS.search(about):
                what = f"{about!r} is not a statement of fact"
                yield Problem(file.place(group, "/about"), what, "say what the input is and what is so")
            if about in seen:
                what = f"group {file.title(group)} says the same as {seen[about]!r}"
                yield Problem(file.place(group, "/about"), what, "say what differs")
            seen[about] = group.name


def _labels(corpus: Corpus) -> Iterator[Problem]:
    for file in corpus.files:
        known = {c.label for c in file.contract.constraints} | {note.label for note in file.contract.notes}
        for group in file.groups:
            for label in group.body.get("exercises", ()):
                if label not in known:
                    where = file.place(group, "/exercises")
                    yield Problem(where, f"the contract has no {label!r}", f"its labels are {', '.join(sorted(known))}")


def _agreement(corpus: Corpus) -> Iterator[Problem]:
    """Expectations are written from documents; where they and the contract disagree, one of them is wrong."""
    files = {file.path: file for file in corpus.files}
    reported: set[tuple[Path, str]] = set()
    for case in corpus.cases:
        complaint = next(filter(None, (_disagreement(case, name) for name in sorted(case.products))), None)
        if complaint and (case.path, case.group) not in reported:
            reported.add((case.path, case.group))
            file = files[case.path]
            group = next(group for group in file.groups if group.name == case.group)
            advice = "mend the case or the contract, or mark the case unspecified"
            yield Problem(file.place(group, "/expect"), f"{case.id}: {complaint}", advice)


def _disagreement(case: Case, product_name: str) -> str:
    if any(step.nulls for step in case.steps):
        return ""
    expectation = case.expectation
    if isinstance(expectation, Unspecified):
        sides = {Basis.IMPLEMENTATION: expectation.document, Basis.DOCUMENT: expectation.implementation}
        return next(filter(None, (_against(case, product_name, a, b) for b, a in sides.items() if a)), "")
    return next(
        filter(
            None,
            (_against(case, product_name, expectation, basis) for basis in (Basis.IMPLEMENTATION, Basis.DOCUMENT)),
        ),
        "",
    )


def _against(case: Case, product_name: str, expectation: Expectation, without: Basis) -> str:
    """What the contract, less the constraints of one basis, says against an expectation."""
    if isinstance(expectation, Refusal) and expectation.phase is Phase.RUN:
        return ""
    side = "implementation" if without is Basis.DOCUMENT else "document"
    breach = case.contract.first_breach(case.facts, PRODUCTS[product_name], without=without)
    found = breach.constraint.status if breach else 0
    wanted = expectation.status if isinstance(expectation, Refusal) else 0
    if found == wanted:
        return ""
    said = (
        f"{breach.constraint.label} refuses it with {status_name(found)} ({breach.message})"
        if breach
        else "nothing refuses it"
    )
    return f"expects {status_name(wanted)} on {product_name}, but by the {side}'s constraints {said}"


def _contracts() -> Iterator[Problem]:
    for path in sorted(data_root().rglob(CONTRACT_FILE)):
        try:
            load_contract(path)
        except InvalidData as error:
            yield from error.problems


def _shared() -> Iterator[Problem]:
    """Standards, axis sets, promotion tables and switch points."""
    for load in (load_standards, load_shared_sets, check_promotion, load_tiling, load_smoke):
        try:
            load()
        except InvalidData as error:
            yield from error.problems


def _templates(corpus: Corpus) -> Iterator[Problem]:
    """Templates that break their form, and those that no case file uses."""
    used = {group.template.path for file in corpus.files for group in file.groups if group.template}
    for path in find_templates():
        try:
            load_template(path)
        except InvalidData as error:
            yield from error.problems
        else:
            if path not in used:
                yield Problem(Location(path), "no case file uses this template", "use it or remove it")


def _smoke(corpus: Corpus) -> Iterator[Problem]:
    """Names of the smoke tier that no case has any more; a broken file is among the shared ones' problems."""
    with suppress(InvalidData):
        yield from stale_names(corpus.cases)


def _coverage(corpus: Corpus) -> Iterator[Problem]:
    """Each cell that a contract declares and does not list as untested has a case."""
    by_api: dict[str, list[Case]] = defaultdict(list)
    for case in corpus.cases:
        by_api[case.contract.api].append(case)
    for api, contract in load_contracts().items():
        where = Location(data_root() / contract.family / contract.name.partition(".")[2] / CONTRACT_FILE)
        if api not in by_api:
            yield Problem(where, f"{api} has a contract and no case", "write case files beside it")
            continue
        rows = coverage_of(contract, by_api[api])
        gaps = [row.cell for row in rows if row.is_gap]
        for text, advice in (*_missing_sides(contract, gaps), *_missing_cells(gaps)):
            yield Problem(where, f"{api} {text}", advice)
        for pattern in stale_reasons(contract, rows):
            text = f"{api} lists {pattern} as untested, but no declared cell of that name lacks a case"
            yield Problem(where, text, "remove the entry")


def _missing_sides(contract: Contract, gaps: Iterable[Cell]) -> Iterator[tuple[str, str]]:
    """Sides of constraints without a case, with the products where that is not so on all of them."""
    lacking: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for cell in gaps:
        if cell.axis == REFUSAL:
            lacking[cell.words].append(str(cell.product))
    for (label, side), products in lacking.items():
        constraint = next(one for one in contract.constraints if one.label == label)
        everywhere = len(products) == sum(constraint.applies_to(PRODUCTS[name]) for name in contract.products)
        on = "" if everywhere else f" on {', '.join(products)}"
        advice = f'write one that lists "{label}" under exercises, or say why it is untested'
        yield f"{label} ({constraint.about}) has no case that {_SIDES[side]}{on}", advice


def _missing_cells(gaps: Iterable[Cell]) -> Iterator[tuple[str, str]]:
    """All other cells without a case, an axis at a time."""
    for axis, cells in groupby((cell for cell in gaps if cell.axis != REFUSAL), key=lambda cell: cell.axis):
        names = [str(cell) for cell in cells]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        advice = "write one, or give the reason under untested_cells; coverage shows all cells"
        yield f"has no case of {', '.join(names[:_NAMED])}{more} ({axis})", advice
