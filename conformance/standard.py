"""Named, versioned standards: which rule judges which output. The data is in ``cases/standards.json``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import Any

from conformance.metrics import DTypeProbes, Metrics, Probes, Worst
from conformance.random_rules import RANDOM_KINDS
from conformance.rules import KINDS, Judgement, Rule, cannot_judge

STRICT = "strict"
"""Name of this suite's own standard, by which cases are judged unless another is asked for."""
ANY_DTYPE = "*"
"""Stands in standards.json for every dtype that a rule does not name."""


class ComparisonClass(Enum):
    """How an output comes about, hence how closely it must match."""

    EXACT = "exact"
    """Selected or copied: every bit counts (NaN payload and the sign of zero aside)."""
    ROUNDED = "rounded"
    """One correctly rounded operation."""
    ARITHMETIC = "arithmetic"
    """A chain of additions and multiplications an element, without functions."""
    ELEMENTWISE = "elementwise"
    """A chain of operations and functions an element."""
    FUSED = "fused"
    """An element and a sum over many, which stay in the unit's own precision until the result is rounded."""
    REDUCTION = "reduction"
    """A sum over many elements, whose terms may pass through memory."""
    QUANTISED = "quantised"
    """A real result rounded into a type of few numbers by a rule that the document states."""
    INTEGER = "integer"
    """A real formula delivered in an integer type."""
    RANDOM = "random"
    """Draws from a distribution, beside elements that are given."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule of a standard and where it applies: classes, dtypes and, unless None, whether the golden has terms."""

    classes: frozenset[ComparisonClass]
    with_terms: bool | None
    rules: Mapping[str, Rule]
    why: str

    def rule_for(self, dtype: str, comparison: ComparisonClass, with_terms: bool) -> Rule | None:
        """The rule with the numbers for that dtype; None where the clause does not apply."""
        if comparison not in self.classes or self.with_terms not in (None, with_terms):
            return None
        return self.rules.get(dtype, self.rules.get(ANY_DTYPE))


_Kind = tuple[str, str, bool]
"""Of outputs: their type, comparison class, and whether the golden has terms."""


@dataclass(frozen=True, slots=True)
class Standard:
    """A named rule set. The first clause that applies judges; ``source`` says whose the numbers are.

    Rules found are kept: there are no more than types times comparison classes, with and without terms.
    """

    name: str
    version: str
    about: str
    source: str
    clauses: tuple[Clause, ...]
    _found: dict[_Kind, Rule | None] = field(init=False, repr=False, compare=False, default_factory=dict)

    def rule_for(self, dtype: str, comparison: ComparisonClass, with_terms: bool) -> Rule | None:
        """The rule of the first clause that applies to such outputs; None when none does."""
        kind = dtype, comparison.value, with_terms
        if kind not in self._found:
            rules = (clause.rule_for(dtype, comparison, with_terms) for clause in self.clauses)
            self._found[kind] = next((rule for rule in rules if rule is not None), None)
        return self._found[kind]

    def judge(self, metrics: Metrics, comparison: ComparisonClass, benchmark: Metrics | None = None) -> Judgement:
        """Judgement on one output; no elements or no numbers cannot be judged.

        Neither a class mismatch nor two readings at once are ever met.
        """
        if not metrics.count:
            return cannot_judge("the output has no elements to judge")
        if metrics.class_mismatches:
            return Judgement(False, inf, _mismatch_reason(metrics))
        if metrics.mixed_readings:
            return Judgement(False, inf, _mixed_reason(metrics))
        rule = self.rule_for(metrics.dtype, comparison, metrics.term_count is not None)
        if rule is not None:
            return rule.judge(metrics, benchmark)
        terms = "without" if metrics.term_count is None else "with"
        return cannot_judge(
            f"{self.name} has no numbers for {metrics.dtype} outputs of class {comparison.value} {terms} terms"
        )


def _mismatch_reason(metrics: Metrics) -> str:
    worst = metrics.worst
    where = f"; {_place(worst)}" if worst is not None else ""
    return f"NaN or infinity on one side only at {metrics.class_mismatches} of {metrics.count} elements{where}"


def _mixed_reason(metrics: Metrics) -> str:
    return f"{metrics.mixed_readings} elements are NaN where others of the same kinds of inputs are not, or the reverse"


def _place(worst: Worst) -> str:
    return f"first at {worst.position}: got {worst.got}, expected {worst.expected}"


def parse_standards(document: Mapping[str, Any]) -> dict[str, Standard]:
    """Standards of a document that satisfies its schema, by name."""
    entries = document["standards"]
    return {
        name: Standard(name, entry["version"], entry["about"], entry["source"], _clauses(entry, entries))
        for name, entry in entries.items()
    }


def _clauses(entry: Mapping[str, Any], entries: Mapping[str, Any]) -> tuple[Clause, ...]:
    """Rules of a standard: its own, or those of the one it is like, with flushing allowed or forbidden throughout."""
    rules = entries[entry["like"]]["rules"] if "like" in entry else entry["rules"]
    return tuple(_parse_clause(rule, entry.get("flush")) for rule in rules)


def _parse_clause(entry: Mapping[str, Any], flush: bool | None) -> Clause:
    kind, common = _KINDS[entry["kind"]], entry.get("numbers", {})
    last = {} if flush is None or "flush" not in kind.__dataclass_fields__ else {"flush": flush}
    rules = {dtype: kind(**{**common, **numbers, **last}) for dtype, numbers in entry["dtypes"].items()}
    classes = frozenset(ComparisonClass(word) for word in entry["classes"]) if "classes" in entry else _EVERY_CLASS
    return Clause(classes, entry.get("with_terms"), rules, entry["why"])


_EVERY_CLASS = frozenset(ComparisonClass)
_KINDS: Mapping[str, Any] = {**KINDS, **RANDOM_KINDS}


def probes_of(standards: Iterable[Standard]) -> Probes:
    """Everything that must be measured so that a record can be judged under each of the standards."""
    asked: dict[str, list[DTypeProbes]] = {}
    for standard in standards:
        for clause in standard.clauses:
            for dtype, rule in clause.rules.items():
                asked.setdefault(dtype, []).append(rule.probes())
    for dtype in asked.keys() - {ANY_DTYPE}:
        asked[dtype] += asked.get(ANY_DTYPE, [])
    return Probes({dtype: _union(parts) for dtype, parts in asked.items()})


def _union(parts: list[DTypeProbes]) -> DTypeProbes:
    """All that is asked for, each once, in the order of first asking; slacks ascend."""
    return DTypeProbes(
        tuple(dict.fromkeys(item for part in parts for item in part.tolerances)),
        tuple(dict.fromkeys(item for part in parts for item in part.caps)),
        tuple(dict.fromkeys(item for part in parts for item in part.domains)),
        tuple(sorted({item for part in parts for item in part.slacks})),
        tuple(dict.fromkeys(item for part in parts for item in part.trials)),
    )
