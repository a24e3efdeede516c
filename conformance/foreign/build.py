"""A case that another suite's file states → a case of this suite; one that cannot be run says why."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.call import DEFAULT_STEPS
from conformance.case import ArgumentSpec, Case, Expectation, Success, TensorSpec, ValueSpec
from conformance.case_id import content_digest, label_of, make_id
from conformance.contract import Basis, Contract, Document
from conformance.facets import facets_of_call, facets_of_expectation
from conformance.foreign.bind import Bound, Draw, Unbound
from conformance.foreign.draw import Rewriter, Stream
from conformance.foreign.outputs import complete
from conformance.load import load_contracts, load_standards
from conformance.product import PRODUCTS
from conformance.signature import snake_name

DEADLINE = 650.0
"""Seconds a case may take: ATK's own limit."""

_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class Stated:
    """What a file says of one case, whatever its API: words of its id, what the hash is made over, seed, standard.

    ``content`` is the case as the file holds it, then what else tells it from its likes.
    """

    suite: str
    path: Path
    api: str
    labels: tuple[str, ...]
    about: str
    content: Sequence[Any]
    seed: int
    standard: str

    @property
    def id(self) -> str:
        """Id of the case; it does not depend on what this suite knows of the API."""
        place = (self.suite, word_of(self.api), subject_of(self.path))
        return make_id(place, self.labels, content_digest(self.content))

    @property
    def group(self) -> str:
        """The word of the id that names the case."""
        return self.labels[0]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A case as a call of its contract; without ``expectation`` success is expected.

    ``ruled`` are inputs that a rule of this suite fills in place of the other suite's script, ``script`` is that script
    where it may run, and ``judged_by`` a digest of it. ``why`` says why the case cannot be run all the same.
    """

    arguments: Mapping[str, ArgumentSpec]
    products: frozenset[str]
    draws: tuple[Draw, ...]
    ruled: Mapping[str, ValueSpec] = field(default_factory=dict)
    expectation: Expectation | None = None
    why: str = ""
    script: Rewriter | None = None
    judged_by: str = ""


@dataclass(frozen=True, slots=True)
class Unbuilt:
    """A case before it is made; ``fit`` makes it a call of a contract and raises Unbound where there is no way to."""

    stated: Stated
    fit: Callable[[Contract], Fitted]

    def build(self) -> Case:
        """The case."""
        return _build(self.stated, self.fit)


def _build(stated: Stated, fit: Callable[[Contract], Fitted]) -> Case:
    contract, why = load_contracts().get(stated.api), ""
    fitted = Fitted({}, frozenset(PRODUCTS), ())
    if contract is None:
        contract, why = _unknown(stated), f"this suite has no contract of {stated.api}"
    else:
        try:
            fitted = fit(contract)
            why = fitted.why
        except Unbound as error:
            why = str(error)
    digest = content_digest(stated.content)
    case_id = stated.id
    expectation = fitted.expectation or Success(degenerate=frozenset(contract.outputs))
    words = {stated.api, snake_name(stated.api), stated.suite, stated.path.stem, *facets_of_expectation(expectation)}
    return Case(
        id=case_id,
        digest=content_digest([case_id, digest, *([fitted.judged_by] if fitted.judged_by else [])]),
        contract=contract,
        path=stated.path,
        group=stated.group,
        about=stated.about,
        arguments=fitted.arguments,
        nulls=frozenset(),
        steps=DEFAULT_STEPS,
        expectation=expectation,
        products=fitted.products,
        exercises=(),
        facets=frozenset(words) | facets_of_call(fitted.arguments),
        deadline=DEADLINE,
        unsupported=why,
        standard=_able(stated.standard, contract, fitted.arguments),
        data=Stream(stated.seed, fitted.draws, fitted.ruled, fitted.script),
        written=stated.content[0],
    )


def _able(standard: str, contract: Contract, arguments: Mapping[str, ArgumentSpec]) -> str:
    """The standard where it has numbers for every output; "" otherwise, and this suite's own judges alone."""
    rules = load_standards().get(standard)
    for name, comparison in contract.outputs.items():
        output = arguments.get(name)
        if rules is None or not isinstance(output, TensorSpec):
            continue
        if not all(rules.rule_for(output.dtype.name, comparison, with_terms) for with_terms in (True, False)):
            return ""
    return standard


def label_in_id(name: str) -> str:
    """A case's name as a word of its id."""
    return label_of(name)[:_LONGEST_LABEL].strip("_") if name else "case"


def word_of(api: str) -> str:
    """Word of an API in ids, whatever a file calls it."""
    return re.sub(r"[^a-z0-9_]+", "_", snake_name(api)).strip("_") or "unnamed"


def subject_of(path: Path) -> str:
    """Word of a file in ids."""
    return re.sub(r"[^a-z0-9_]+", "_", path.stem.lower()).strip("_") or "file"


def _unknown(stated: Stated) -> Contract:
    """What stands in for the contract of an API that the suite does not know."""
    document = Document(stated.api, "", "")
    return Contract(stated.api, stated.suite, document, tuple(PRODUCTS), (), (), {}, True)


def completed(
    contract: Contract, bound: Bound, among: Sequence[str] | None = None
) -> tuple[dict[str, ArgumentSpec], frozenset[str]]:
    """All arguments, and the products on which they make a legal call; raises Unbound where they do on none.

    ``among`` are the products that count, in the contract's order; all by default.
    """
    reasons: dict[str, str] = {}
    products = contract.products if among is None else among
    for place, name in enumerate(products):
        try:
            made = complete(contract, bound.arguments, PRODUCTS[name])
        except Unbound as error:
            reasons[name] = str(error)
            continue
        others = products[place + 1 :]
        legal = [o for o in others if contract.first_breach(made, PRODUCTS[o], without=Basis.IMPLEMENTATION) is None]
        return made, frozenset([name, *legal])
    raise Unbound(together(reasons) if reasons else f"{contract.api} is on no product")


def together(reasons: Mapping[str, str]) -> str:
    """Why a call is legal on none of some products, what is said of several of them once; each reason names its own."""
    said: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        said.setdefault(reason.replace(f" on {name}: ", " on {}: ", 1), []).append(name)
    return "; ".join(reason.replace(" on {}: ", f" on {', '.join(names)}: ", 1) for reason, names in said.items())
