"""Native cases → entries of an ATK file, and a count of everything that ATK's files have no notation for.

Each entry is read back as ATK's files are read here: one that does not give the case's own call is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.atk.importing import NativeCall, native_call
from conformance.atk.read import parse_case
from conformance.atk.remainder import bare, inputs_of
from conformance.atk.rewrites import rules_for
from conformance.atk.translate import NotSaid, said_alike
from conformance.call import DEFAULT_STEPS
from conformance.case import ArgumentSpec, Case, Refusal, Success, TensorSpec, Unspecified
from conformance.contract import Contract
from conformance.errors import InvalidSpec
from conformance.foreign.bind import Unbound
from conformance.signature import Role, snake_name
from conformance.standard import ComparisonClass

_BIT_FOR_BIT = frozenset({ComparisonClass.EXACT, ComparisonClass.INTEGER, ComparisonClass.QUANTISED})
_NOWHERE = Path("export/atk.json")
"""Stands for the file that an entry is read back from: there are no scripts beside it."""
EDITED = "what ATK's file said of the inputs: the arguments were changed since"


@dataclass(frozen=True, slots=True)
class Export:
    """Entries of the file; reasons for cases that are left out, and what is not said of those that are written."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)


def export_cases(cases: Iterable[Case], rests: Mapping[tuple[Path, str], Mapping[str, Any]]) -> Export:
    """Entries of native cases; ``rests`` is what groups keep of the ATK files that they come from."""
    done = Export()
    written: list[tuple[dict[str, Any], int | None]] = []
    for case in cases:
        rest = rests.get((case.path, case.group))
        try:
            entry, lost = entry_of(case, rest)
        except NotSaid as reason:
            done.left_out[str(reason)] += 1
            continue
        done.lost.update(lost)
        written.append((entry, rest["id"] if rest else None))
    done.entries.extend(_numbered(written, done.lost))
    return done


def entry_of(case: Case, rest: Mapping[str, Any] | None) -> tuple[dict[str, Any], list[str]]:
    """The entry of one case, its id left open, and what it does not say; raises NotSaid."""
    _require_one_plain_call(case, imported=rest is not None)
    lost = list(_beyond(case))
    if rest is not None:
        head = {key: value for key, value in rest.items() if key != "inputs"}
        head = {"aclnn_name": bare(case.contract.api), **head}
        try:
            return _checked({**head, "inputs": inputs_of(case.contract, case.arguments, rest)}, case), lost
        except NotSaid:
            entry = _checked({**head, "inputs": inputs_of(case.contract, case.arguments, {})}, case)
            return entry, [*lost, EDITED]
    return _checked({**_head(case.contract), "inputs": inputs_of(case.contract, case.arguments, {})}, case), lost


def _head(contract: Contract) -> dict[str, Any]:
    """What an entry says of a case that no ATK file said anything of."""
    word = snake_name(contract.api)
    exact = all(comparison in _BIT_FOR_BIT for comparison in contract.outputs.values())
    standard = {"acc": "equal" if exact else "single_bm", "perf": "not_key"}
    return {"name": word, "aclnn_name": bare(contract.api), "api_type": f"aclnn_{word}", "standard": standard}


def _require_one_plain_call(case: Case, *, imported: bool) -> None:
    """Raises NotSaid for whatever is more or less than one call with right outputs."""
    expectation = case.expectation
    if isinstance(expectation, Refusal):
        raise NotSaid("a refusal is expected")
    if isinstance(expectation, Unspecified) and not imported:
        raise NotSaid("document and implementation disagree, so nothing is expected")
    if case.after:
        raise NotSaid("calls before the call")
    if case.repeat > 1:
        raise NotSaid("a call that is made many times")
    if case.steps != DEFAULT_STEPS or case.nulls:
        raise NotSaid("steps other than phase 1 and phase 2")
    for parameter in case.contract.parameters:
        spec = case.arguments[parameter.name]
        if spec is None and not parameter.optional:
            raise NotSaid("a null pointer for what is not optional")
        if isinstance(spec, TensorSpec) and spec.alias is not None:
            raise NotSaid("one tensor for two parameters")
        if isinstance(spec, TensorSpec) and not spec.is_contiguous:
            raise NotSaid("a tensor with strides, an offset or a larger storage")


def _beyond(case: Case) -> Iterator[str]:
    """What is said of a case that an entry cannot say, though the call is the same."""
    if case.products != frozenset(case.contract.products):
        yield "products: ATK runs every entry on every one"
    expectation = case.expectation
    if isinstance(expectation, Unspecified):
        yield "that the implementation may refuse the call"
    if isinstance(expectation, Success):
        if expectation.workspace is not None:
            yield "the size of the workspace"
        if expectation.outputs:
            yield "values that the document states for outputs"
        if expectation.untouched:
            yield "outputs that may not be written"


def _checked(entry: dict[str, Any], case: Case) -> dict[str, Any]:
    """The entry, where reading it gives the case's call; raises NotSaid."""
    read = _read_back({**entry, "id": 0}, case.contract)
    for parameter in case.contract.parameters:
        ours, theirs = case.arguments[parameter.name], read.specs[parameter.name]
        if _alike(ours, theirs):
            continue
        if parameter.role is Role.OUTPUT:
            raise NotSaid("an output of another type or shape than the likeliest")
        if isinstance(ours, TensorSpec):
            raise NotSaid("a format, or values in place of those that an executor makes")
        raise NotSaid(f"{parameter.kind.value} arguments such as {parameter.name} = {_shown(ours)}")
    return entry


def _read_back(entry: Mapping[str, Any], contract: Contract) -> NativeCall:
    try:
        read = parse_case(entry, _NOWHERE)
        ruled, why = rules_for(contract, _NOWHERE, ())
        if why:
            raise NotSaid(why)
        return native_call(read, contract, ruled)
    except (Unbound, InvalidSpec) as error:
        raise NotSaid(f"a call that could not be read back: {error}") from None


def _alike(ours: ArgumentSpec, theirs: ArgumentSpec) -> bool:
    if isinstance(ours, TensorSpec) and isinstance(theirs, TensorSpec):
        return said_alike(ours, theirs)
    return repr(ours) == repr(theirs)


def _shown(spec: ArgumentSpec) -> str:
    text = str(getattr(spec, "value", spec))
    return text if len(text) <= 40 else f"{text[:37]}..."


def _numbered(written: Iterable[tuple[dict[str, Any], int | None]], lost: Counter[str]) -> Iterator[dict[str, Any]]:
    """Entries with ids: their own where it is still free, the lowest free ones for the others."""
    given = list(written)
    own = {number for _, number in given if number is not None}
    taken: set[int] = set()
    free = (number for number in range(len(given) + len(own)) if number not in own)
    for entry, number in given:
        if number is not None and number in taken:
            lost["the id, which another entry has: it seeds the data of ATK"] += 1
        chosen = number if number is not None and number not in taken else next(free)
        taken.add(chosen)
        yield {"id": chosen, **{key: value for key, value in entry.items() if key != "id"}}
