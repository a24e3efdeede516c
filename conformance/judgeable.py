"""What judging a recorded case again needs of every case of the suite, kept in the user's cache.

Expanding all cases takes longer than judging a record of them. What is kept is valid for the very data and sources that
it was made with, and only if it is whole: anything else is made anew. The file may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from msgspec import convert, to_builtins

from conformance.caches import JUDGED, note_use
from conformance.call import Step
from conformance.case import Expectation, Refusal, Success, Unspecified
from conformance.corpus import load_corpus
from conformance.environment import data_digest
from conformance.garbage import collected_later
from conformance.index import code_digest
from conformance.kept import keep, read_kept

_KINDS: Mapping[str, Any] = {kind.__name__: kind for kind in (Success, Refusal, Unspecified)}


class Judgeable(Protocol):
    """What judging a recorded case again needs of it."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def facets(self) -> frozenset[str]:
        """The words that waivers can pick it by."""
        ...

    @property
    def expectation(self) -> Expectation:
        """What had to come of the call."""
        ...

    @property
    def steps_taken(self) -> tuple[Step, ...]:
        """The steps of the call."""
        ...

    @property
    def standard(self) -> str:
        """The standard that its file asks for; "" for this suite's own."""
        ...


@dataclass(frozen=True, slots=True)
class _Kept:
    """That of one case, read from the cache."""

    id: str
    facets: frozenset[str]
    expectation: Expectation
    steps_taken: tuple[Step, ...]
    standard: str = ""


def suite_cases() -> Mapping[str, Judgeable]:
    """Every valid case of the suite, by id."""
    path, key = JUDGED.path, f"{data_digest()} {hashlib.sha256(code_digest()).hexdigest()}"
    note_use(path)
    known = read_kept(path, key)
    if known is not None:
        with collected_later():
            return _cases_of(known)
    corpus = load_corpus()
    if not corpus.problems:
        keep(path, key, _written(corpus.cases))
    return {case.id: case for case in corpus.cases}


class _Table(dict[str, int]):
    """Texts of JSON values, each once, by their number."""

    def number_of(self, value: Any) -> int:
        return self.setdefault(json.dumps(value, sort_keys=True), len(self))

    @property
    def values_in_order(self) -> list[Any]:
        return [json.loads(text) for text in self]


def _written(cases: Iterable[Judgeable]) -> dict[str, Any]:
    expectations, steps, facets = _Table(), _Table(), _Table()
    rows = {
        case.id: [
            expectations.number_of(_written_expectation(case.expectation)),
            steps.number_of(to_builtins(case.steps_taken)),
            facets.number_of(sorted(case.facets)),
            case.standard,
        ]
        for case in cases
    }
    tables = {"expectations": expectations, "steps": steps, "facets": facets}
    return {"cases": rows, **{name: table.values_in_order for name, table in tables.items()}}


def _cases_of(document: Mapping[str, Any]) -> dict[str, Judgeable]:
    expectations = [_read_expectation(written) for written in document["expectations"]]
    steps = [convert(written, tuple[Step, ...]) for written in document["steps"]]
    facets = list(map(frozenset, document["facets"]))
    return {
        case_id: _Kept(case_id, facets[words], expectations[what], steps[how], standard)
        for case_id, (what, how, words, standard) in document["cases"].items()
    }


def _written_expectation(expectation: Expectation | None) -> Any:
    """A JSON value, from which the same expectation is made again."""
    if expectation is None:
        return None
    nested = ("document", "implementation") if isinstance(expectation, Unspecified) else ()
    parts = {
        field.name: (_written_expectation if field.name in nested else to_builtins)(getattr(expectation, field.name))
        for field in fields(expectation)
    }
    return {type(expectation).__name__: parts}


def _read_expectation(written: Any) -> Any:
    if written is None:
        return None
    ((kind, parts),) = written.items()
    if kind != Unspecified.__name__:
        return convert(parts, _KINDS[kind])
    nested = {name: _read_expectation(parts[name]) for name in ("document", "implementation")}
    return Unspecified(**{**parts, **nested})
