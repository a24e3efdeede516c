"""One ATK file → its cases. A case that cannot be run is there all the same, and says why."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from conformance.atk.read import AtkCase, parse_case
from conformance.atk.rewrites import rewritten_beside, rules_for
from conformance.atk.scripted import script_for
from conformance.atk.standards import standard_for
from conformance.contract import Contract
from conformance.errors import InvalidSpec, Location, Problem
from conformance.foreign.bind import Unbound, bind
from conformance.foreign.build import Fitted, Stated, Unbuilt, completed
from conformance.foreign.file_options import PLAIN, FileOptions
from conformance.foreign.heads import ATK
from conformance.foreign.lists import read_list
from conformance.json_text import place_of


def atk_cases(path: Path, how: FileOptions = PLAIN) -> tuple[list[Unbuilt], list[Problem]]:
    """Cases of a file, and the problems of those that cannot be read; raises InvalidData where none can."""
    cases: list[Unbuilt] = []
    problems: list[Problem] = []
    for one in entries(path):
        if isinstance(one, Problem):
            problems.append(one)
        else:
            read, written = one
            cases.append(_case(read, written, path, how))
    return cases, problems


def entries(path: Path) -> Iterator[tuple[AtkCase, Any] | Problem]:
    """Each case of a file as read and as written, or why it cannot be read; raises InvalidData where none can."""
    seen: dict[int, int] = {}
    for place, written in enumerate(read_list(path)):
        try:
            read = parse_case(written, path)
            if seen.setdefault(read.id, place) != place:
                raise InvalidSpec(f"id {read.id} stands twice", f"the first is case {seen[read.id]}", "/id")
        except InvalidSpec as error:
            yield _problem(path, place, error)
        else:
            yield read, written


def _problem(path: Path, place: int, error: InvalidSpec) -> Problem:
    text = path.read_text(encoding="utf-8", errors="replace")
    return Problem(Location(path, *place_of(text, f"/{place}{error.pointer}")), str(error), error.advice)


def _is_sliced(number: int, ratio: float) -> bool:
    return ratio > 0 and random.Random(number).random() < ratio


def _case(read: AtkCase, written: Any, path: Path, how: FileOptions) -> Unbuilt:
    sliced = _is_sliced(read.id, how.slice_ratio)
    stated = Stated(
        suite=ATK,
        path=path,
        api=read.api,
        labels=(f"id{read.id}", *["sliced"] * sliced),
        about=f"case {read.id} of {path.name}" + (f", {read.name}" if read.name else ""),
        content=[written, sliced],
        seed=read.seed,
        standard=standard_for(read.acc),
    )
    return Unbuilt(stated, partial(_fitted, read, written, path, replace(how, slice_ratio=float(sliced))))


def _fitted(read: AtkCase, written: Any, path: Path, how: FileOptions, contract: Contract) -> Fitted:
    if read.beyond:
        raise Unbound(read.beyond)
    bound = bind(read.inputs, contract, sliced=how.slice_ratio > 0)
    arguments, products = completed(contract, bound)
    ruled, why = rules_for(contract, path, read.executors)
    names = [name for name, _ in rewritten_beside(path, read.executors)] if why else []
    if len(names) == 1 and how.trust:
        script = script_for(path.parent / names[0], read, written, contract)
        return Fitted(arguments, products, bound.draws, script=script, judged_by=script.digest)
    if names:
        several = f"more than one script does: {', '.join(names)}"
        why += f" ({'--trust-executors runs it' if len(names) == 1 else several})"
    return Fitted(arguments, products, bound.draws, ruled, why=why)
