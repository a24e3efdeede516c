"""One TTK file → its cases. A case that cannot be run is there all the same, and says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from conformance.case import Case, ValueSpec
from conformance.case_id import content_digest
from conformance.contract import Contract
from conformance.errors import InvalidData, InvalidSpec, Location, Problem
from conformance.foreign.answers import fitted
from conformance.foreign.bind import Unbound, bind
from conformance.foreign.build import Fitted, Stated, build, label_in_id
from conformance.foreign.heads import TTK
from conformance.foreign.input_rules import fills_of
from conformance.ttk.read import TtkCase, parse_row
from conformance.ttk.table import Row, read_table

STANDARD = "cann_mixed"
"""TTK compares so unless its command line says otherwise; no row says how."""
_SCRIPT = Path("assets") / "input.py"
_FOLDERS_ABOVE = 3


Entry = tuple[TtkCase, Row]


def ttk_cases(path: Path) -> tuple[list[Case], list[Problem]]:
    """Cases of a file, and the problems of rows that cannot be read; raises InvalidData where none can."""
    cases: list[Case] = []
    problems: list[Problem] = []
    seen: Counter[str] = Counter()
    for one in entries(path):
        if isinstance(one, Problem):
            problems.append(one)
            continue
        read, (line, cells) = one
        digest = content_digest(cells)
        seen[digest] += 1
        cases.append(_case(read, line, cells, path, seen[digest]))
    return cases, problems


def entries(path: Path) -> Iterator[Entry | Problem]:
    """Each row of a file as read and as written, or why it cannot be read; raises InvalidData where there is none."""
    empty = True
    for row in read_table(path):
        empty = False
        if isinstance(row, Problem):
            yield row
            continue
        line, cells = row
        try:
            yield parse_row(cells, path), row
        except InvalidSpec as error:
            yield Problem(Location(path, line, error.pointer), str(error), error.advice)
    if empty:
        raise InvalidData([Problem(Location(path), "the file holds no case", "write a row below the header")])


def _case(read: TtkCase, line: int, cells: Mapping[str, str], path: Path, time: int) -> Case:
    """The case of a row; a row that stands in the file once more is another case with other data."""
    content = [cells] if time == 1 else [cells, time]
    stated = Stated(
        suite=TTK,
        path=path,
        api=read.api,
        labels=(label_in_id(read.name), *[f"again{time}"] * (time > 1)),
        about=f"line {line} of {path.name}" + (f", {read.name}" if read.name else ""),
        content=content,
        seed=int(content_digest(content)[:8], 16),
        standard=STANDARD,
    )
    return build(stated, partial(_fitted, read, path))


def _fitted(read: TtkCase, path: Path, contract: Contract) -> Fitted:
    if read.why:
        raise Unbound(read.why)
    made = fitted(contract, bind(read.inputs, contract, apart=True), read.outputs, read.products)
    ruled, why = fills_for(contract, path)
    return replace(made, ruled=ruled, why=why)


def fills_for(contract: Contract, path: Path) -> tuple[dict[str, ValueSpec], str]:
    """Inputs that rules fill, and why the case cannot be run: a script that may make other inputs and is never run."""
    ruled, why = fills_of(contract)
    script = _script_above(path.parent)
    if not why and not ruled and script:
        why = f"{script} may make other inputs, and no rule says how"
    return ruled, why


@cache
def _script_above(folder: Path) -> str:
    """The script for inputs that belongs to the files of a folder: in assets beside it, or beside a folder above."""
    above = [folder, *folder.parents][: _FOLDERS_ABOVE + 1]
    return next((str(_SCRIPT) for one in above if (one / _SCRIPT).is_file()), "")
