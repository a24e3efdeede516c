"""What an API promises: parameters, ordered labelled constraints, comparison class per output.

The order of ``constraints`` is the order of checks; an ``empty_exit`` has its place among them. The
``basis`` of a constraint says who states it: the document, the implementation as read from its source, or
both. Cases are written from documents; the simulator enforces what the implementation enforces. Where the
two part, a rule or an exit stands once a side, and ``first_breach`` without one side is the other side's
answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any

from conformance.constraint import EmptyExit, Facts, Rule
from conformance.platform_rules import ProductIn
from conformance.product import Product
from conformance.properties import Property, parse_property
from conformance.rule_kinds import parameters_of, parse_rule
from conformance.signature import OUT_POINTERS, Parameter, ParameterKind, Role, snake_name
from conformance.standard import ComparisonClass
from conformance.status import CODES


class Basis(Enum):
    """Who states a constraint."""

    BOTH = "both"
    DOCUMENT = "document"
    IMPLEMENTATION = "implementation"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One labelled promise and the status its violation gives; ``products`` None means every product."""

    label: str
    about: str
    rule: Rule
    status: int
    basis: Basis = Basis.BOTH
    products: frozenset[str] | None = None
    untested: str = ""

    def applies_to(self, product: Product) -> bool:
        """Whether the constraint holds on this product."""
        return self.products is None or product.name in self.products


@dataclass(frozen=True, slots=True)
class Breach:
    """The first constraint a call breaks, and how."""

    constraint: Constraint
    message: str


@dataclass(frozen=True, slots=True)
class Document:
    """What a contract was read from: title, path in the operator repository, month of reading."""

    name: str
    source: str
    read: str

    def __str__(self) -> str:
        return f"{self.name} ({self.source}, read {self.read})"


@dataclass(frozen=True, slots=True)
class Note:
    """A discrepancy or silence of the sources that is no constraint."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class UntestedCells:
    """Cells of the coverage table that have no case, by a name or a glob, and why."""

    cell: str
    reason: str

    def covers(self, cell: str) -> bool:
        """Whether a cell is one of these."""
        return fnmatchcase(cell, self.cell)


@dataclass(frozen=True, slots=True)
class Contract:
    """One API's promises; ``document`` names what it was read from."""

    api: str
    family: str
    document: Document
    products: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    constraints: tuple[Constraint, ...]
    outputs: Mapping[str, ComparisonClass]
    deterministic: bool
    notes: tuple[Note, ...] = ()
    properties: tuple[Property, ...] = ()
    untested_cells: tuple[UntestedCells, ...] = ()

    @property
    def name(self) -> str:
        """Id prefix: ``activation.prelu_backward``."""
        return f"{self.family}.{snake_name(self.api)}"

    def parameter(self, name: str) -> Parameter:
        """Parameter of that name; KeyError when there is none."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)

    @property
    def tensors(self) -> tuple[Parameter, ...]:
        """Tensor parameters in order."""
        return tuple(p for p in self.parameters if p.kind is ParameterKind.TENSOR)

    def answers_on(self, product: Product) -> bool:
        """Whether the API can be called on a product, be it only to refuse."""
        refuses = any(isinstance(constraint.rule, ProductIn) for constraint in self.constraints)
        return refuses or product.name in self.products

    def enforced(self, product: Product, *, without: Basis) -> Iterator[Constraint]:
        """Constraints of a product in order of checks, less those stated only by ``without``."""
        return (c for c in self.constraints if c.applies_to(product) and c.basis is not without)

    def first_breach(self, facts: Facts, product: Product, *, without: Basis) -> Breach | None:
        """First broken constraint in order of checks; None when the call is legal or exits early as empty."""
        for constraint in self.enforced(product, without=without):
            if isinstance(constraint.rule, EmptyExit):
                if constraint.rule.is_empty(facts):
                    return None
                continue
            message = constraint.rule.check(facts, product)
            if message is not None:
                return Breach(constraint, message)
        return None

    def exits_empty(self, facts: Facts, product: Product) -> bool:
        """Whether a legal call of these facts returns early without writing its outputs."""
        return any(
            isinstance(c.rule, EmptyExit)
            and c.applies_to(product)
            and c.basis is not Basis.DOCUMENT
            and c.rule.is_empty(facts)
            for c in self.constraints
        )


def parse_contract(document: Mapping[str, Any]) -> Contract:
    """Contract of a document that keeps its schema; raises ValueError where it contradicts itself."""
    contract = Contract(
        api=document["api"],
        family=document["family"],
        document=Document(**document["document"]),
        products=tuple(document["products"]),
        parameters=tuple(_parameter(entry) for entry in document["parameters"]),
        constraints=tuple(_constraint(entry) for entry in document["constraints"]),
        outputs={name: ComparisonClass(word) for name, word in document["outputs"].items()},
        deterministic=document["deterministic"],
        notes=tuple(Note(**entry) for entry in document.get("notes", ())),
        properties=tuple(parse_property(entry) for entry in document.get("properties", ())),
        untested_cells=tuple(UntestedCells(**entry) for entry in document.get("untested_cells", ())),
    )
    faults = list(_contradictions(contract))
    if faults:
        raise ValueError("; ".join(faults))
    return contract


def _parameter(entry: Mapping[str, Any]) -> Parameter:
    kind, role = ParameterKind(entry["kind"]), Role(entry["role"])
    return Parameter(entry["name"], kind, role, entry["c_type"], entry.get("optional", False))


def _constraint(entry: Mapping[str, Any]) -> Constraint:
    return Constraint(
        label=entry["label"],
        about=entry["about"],
        rule=parse_rule(entry["rule"]),
        status=CODES[entry["status"]],
        basis=Basis(entry.get("basis", "both")),
        products=frozenset(entry["products"]) if "products" in entry else None,
        untested=entry.get("untested", ""),
    )


def _contradictions(contract: Contract) -> Iterator[str]:
    known = {parameter.name for parameter in contract.parameters}.union(OUT_POINTERS)
    for number, constraint in enumerate(contract.constraints, 1):
        if constraint.label != f"c{number}":
            yield f"constraint {number} is labelled {constraint.label}, not c{number}"
        for name in parameters_of(constraint.rule):
            if name not in known:
                yield f"{constraint.label} names {name!r}, which is no parameter of {contract.api}"
    for number, note in enumerate(contract.notes, 1):
        if note.label != f"n{number}":
            yield f"note {number} is labelled {note.label}, not n{number}"
    for named in (name for promise in contract.properties for name in promise.names):
        if named not in known:
            yield f"a property names {named!r}, which is no parameter of {contract.api}"
    written = [parameter.name for parameter in contract.parameters if parameter.is_written]
    if sorted(written) != sorted(contract.outputs):
        yield f"outputs are {', '.join(contract.outputs)}, the parameters written {', '.join(written)}"
