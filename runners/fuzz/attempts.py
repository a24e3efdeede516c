"""One fuzzed call: made from choices, turned into a case, run and judged by the engine, then by relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from conformance.case import Case, CaseFile, Group
from conformance.contract import Contract
from conformance.errors import InvalidSpec
from conformance.execute import Session
from conformance.expand import expand
from conformance.product import Product
from runners.fuzz.bodies import (
    Body,
    Outline,
    answer,
    expectation,
    facts_of,
    faults,
    legal_arguments,
    refusal_body,
    success_body,
    written_changes,
)
from runners.fuzz.choices import Choices
from runners.fuzz.relations import compare
from runners.fuzz.roots import root_shape
from runners.fuzz.trial import Refused, Trial

GOLDEN, REFUSAL, UNSUPPORTED = "golden", "refusal", "unsupported"
LEGAL, FAULTY = "legal", "faulty"
"""Names of the two groups of a case file."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all calls of one API share: ranks and lengths to choose from, and the properties still looked at."""

    session: Session
    contract: Contract
    ranks: Sequence[int]
    lengths: Sequence[int]

    @property
    def product(self) -> Product:
        """Product that calls run as."""
        return self.session.product


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is tried: groups of a case file, the property that is looked at, and the size for people.

    ``groups`` is the legal call, followed by the faulty one where the property is a refusal.
    """

    contract: Contract
    property: str
    groups: tuple[Body, ...]
    elements: int

    def cases(self, path: Path) -> list[Case]:
        """The cases that a file at ``path`` with these groups holds; raises InvalidData."""
        groups = tuple(Group(body["name"], body, f"/groups/{i}") for i, body in enumerate(self.groups))
        return expand(CaseFile(path, "", self.contract, {}, groups))


def make_attempt(about: Surroundings, kinds: Sequence[str], choices: Choices) -> Attempt | None:
    """An attempt at one of the properties; None where the choices lead to no call that both sides answer alike."""
    kind = choices.pick(kinds)
    contract, product = about.contract, about.product
    outline = Outline(root_shape(about.ranks, about.lengths, choices))
    try:
        arguments = legal_arguments(contract, product, outline, choices)
        facts = facts_of(contract, arguments)
    except InvalidSpec:
        return None
    expect = expectation(contract, facts, product)
    if answer(contract, facts, product) != 0 or expect is None:
        return None
    legal = success_body(LEGAL, "a legal call as it was found by fuzzing", arguments, expect, [product.name])
    if kind != REFUSAL:
        return Attempt(contract, kind, (legal,), elements_of(arguments))
    ways = list(faults(contract, facts, product))
    if not ways:
        return None
    name, status, changes = choices.pick(ways)
    label, _, way = name.partition("_")
    said = f"the same call with one fault against {label}: {way.replace('_', ' ')}"
    faulty = refusal_body(FAULTY, said, LEGAL, written_changes(contract, changes), status)
    return Attempt(contract, kind, (legal, faulty), elements_of(arguments))


def failure_of(attempt: Attempt, session: Session, path: Path, seen: Counter[str]) -> str:
    """What is wrong, in one clause; "" when nothing is. ``seen`` counts what was looked at, by property."""
    case = attempt.cases(path)[-1]
    try:
        related = attempt.property not in (GOLDEN, REFUSAL)
        return (_broken_relation if related else _misjudged)(attempt, session, case, seen)
    except Exception as error:  # a fault of the suite: found, told and made small like any other
        return f"broken: the suite raised {type(error).__name__}: {error}"


def _misjudged(attempt: Attempt, session: Session, case: Case, seen: Counter[str]) -> str:
    judged = session.execute(case).judged
    if judged.verdict.was_executed:
        seen[attempt.property] += 1
        # A mistrusted agreement is no finding: numbers made at random are all zero now and then.
        return judged.reason if judged.verdict.value == "failed" else ""
    seen[UNSUPPORTED] += not judged.verdict.is_red
    return f"{judged.verdict.value}: {judged.reason}" if judged.verdict.is_red else ""


def _broken_relation(attempt: Attempt, session: Session, case: Case, seen: Counter[str]) -> str:
    call = session.make_call(case)
    if any(tensor.numel == 0 for _, tensor in call.tensors(written=False)):
        return ""
    try:
        trial = Trial(attempt.contract, call, session.runner.run, session.reference)
    except Refused:
        return ""  # the golden's business
    compared = compare(attempt.property, trial)
    seen[attempt.property] += bool(compared)
    return next(filter(None, compared), "")


def elements_of(arguments: Mapping[str, Any]) -> int:
    """Elements of the largest tensor."""
    tensors = [argument for argument in arguments.values() if isinstance(argument, dict) and "shape" in argument]
    return max((prod(tensor["shape"]) for tensor in tensors), default=0)
