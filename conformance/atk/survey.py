"""What of a tree of ATK files can be run, and why the rest cannot; in about the time that parsing the files takes.

Cases of one form (API, executor, names, kinds and types of inputs) are looked at once: whether they bind does not
depend on shapes. Whether a document admits each shape is found out when the cases are run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from operator import itemgetter
from pathlib import Path
from typing import Any

from conformance.atk.read import api_of, parse_case
from conformance.atk.rewrites import rules_for
from conformance.case import ELEMENT_CAP
from conformance.errors import InvalidData, InvalidSpec, Problem
from conformance.foreign.bind import Unbound, bind
from conformance.foreign.heads import ATK, suite_of
from conformance.foreign.inputs import TENSORS, dtype_named
from conformance.foreign.lists import read_list
from conformance.garbage import collected_later
from conformance.load import load_contracts
from conformance.select import Limits

RUNNABLE, TOO_LARGE, NEEDS_SCRIPT = "runnable", "too large", "needs its executor"
NO_CONTRACT, UNFIT, UNREADABLE = "no contract", "does not fit the contract", "cannot be read"
OUTCOMES = (RUNNABLE, TOO_LARGE, NEEDS_SCRIPT, NO_CONTRACT, UNFIT, UNREADABLE)
_WHAT = itemgetter("name", "type", "dtype", "shape")
_UNLIMITED = 1 << 64
_Found = tuple[str, str]
"""One of the outcomes, and the reason."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Counts of files, of cases by outcome, by API and outcome, and by outcome and reason; files that are none."""

    files: int
    outcomes: Counter[str]
    apis: Mapping[str, Counter[str]]
    reasons: Counter[_Found]
    problems: tuple[Problem, ...]

    @property
    def cases(self) -> int:
        """Cases of all files."""
        return self.outcomes.total()


def atk_files(paths: Iterable[Path]) -> list[Path]:
    """Files that begin as ATK's do: those named, and every such JSON file in folders."""
    found: set[Path] = set()
    for path in paths:
        found.update((one for one in path.rglob("*.json") if suite_of(one) == ATK) if path.is_dir() else [path])
    return sorted(found)


def survey(files: Iterable[Path], limits: Limits | None = None) -> Survey:
    """Look at every case of the files."""
    limits = Limits(ELEMENT_CAP) if limits is None else limits
    apis: dict[str, Counter[str]] = {}
    reasons: Counter[_Found] = Counter()
    problems: list[Problem] = []
    count = 0
    with collected_later():
        for path in files:
            count += 1
            try:
                document = read_list(path)
            except InvalidData as error:
                problems.extend(error.problems)
                continue
            for (api, found), times in _of_file(document, path, limits).items():
                apis.setdefault(api, Counter())[found[0]] += times
                reasons[found] += times
    outcomes: Counter[str] = sum(apis.values(), Counter())
    return Survey(count, outcomes, apis, reasons, tuple(problems))


def _of_file(document: list[Any], path: Path, limits: Limits) -> Counter[tuple[str, _Found]]:
    first: dict[Any, Any] = {}
    counts: dict[Any, int] = {}
    found: Counter[tuple[str, _Found]] = Counter()
    most = limits.max_elements if limits.max_elements is not None else _UNLIMITED
    for written in document:
        try:
            form = _form(written, most)
            if limits.max_bytes is not None:
                form = (*form, _bytes(written) > limits.max_bytes)
            counts[form] = counts.get(form, 0) + 1
        except (TypeError, KeyError, AttributeError):  # of an odd form, or none that can be read
            found[_look(written, path)] += 1
            continue
        if counts[form] == 1:
            first[form] = written
    for form, times in counts.items():
        found[_within(_look(first[form], path), form, limits)] += times
    return found


def _form(written: Mapping[str, Any], most: int) -> tuple[Any, ...]:
    """What decides whether a case binds, and whether some tensor is too large; raises KeyError and the like."""
    api = written.get("aclnn_name")
    if api and f"aclnn{api.removeprefix('aclnn')}" not in load_contracts():
        return (api,)
    parts, large = [], False
    for item in written["inputs"]:
        if type(item) is list:
            parts.append(tuple(_WHAT(one)[:3] for one in item))
            large = large or any(one["shape"] and prod(one["shape"]) > most for one in item)
        else:
            what = _WHAT(item)
            parts.append(what[:3])
            shape = what[3]
            if shape and prod(shape) > most:
                large = True
    return api, written.get("api_type"), tuple(parts), large


def _within(named: tuple[str, _Found], form: tuple[Any, ...], limits: Limits) -> tuple[str, _Found]:
    """What becomes of a case that would run if it is not too large."""
    if named[1][0] != RUNNABLE:
        return named
    if form[3]:
        return named[0], (TOO_LARGE, f"a tensor of more than {limits.max_elements} elements")
    if form[4:] == (True,):
        return named[0], (TOO_LARGE, f"tensors of more than {limits.max_bytes} bytes together")
    return named


def _bytes(written: Mapping[str, Any]) -> int:
    items = [one for item in written["inputs"] for one in (item if isinstance(item, list) else [item])]
    tensors = [one for one in items if one["type"] in TENSORS]
    return sum(prod(one["shape"]) * dtype_named(one["dtype"]).itemsize for one in tensors)


def _look(written: Any, path: Path) -> tuple[str, _Found]:
    """API of one case, what becomes of it and why."""
    api = api_of(written, path) if isinstance(written, dict) else ""
    try:
        case = parse_case(written, path)
    except InvalidSpec as error:
        return api or "?", (UNREADABLE, str(error))
    contract = load_contracts().get(case.api)
    if contract is None:
        return api, (NO_CONTRACT, "this suite has no contract of the API")
    try:
        bind(case.inputs, contract)
        _, needs = rules_for(contract, path, case.api_type)
    except Unbound as error:
        return api, (UNFIT, str(error))
    return api, (NEEDS_SCRIPT, needs) if needs else (RUNNABLE, "")
