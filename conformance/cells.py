"""What a contract declares, cell by cell: element types, ranks, layouts, special values, exits, protocol, refusals.

A cell is what a case can be about: ``dtype/self/float16/ascend910b``, ``rank/self/3``, ``layout/out/permuted``,
``special/self/float16/nan``, ``empty/self``, ``protocol/repeatable``, ``refusal/c3/breaks/ascend950``. Declared is what
the document declares: constraints that only the implementation states are left out, but for refusals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from conformance.constraint import EmptyExit, Facts, Rule, TensorOutline
from conformance.contract import Basis, Constraint, Contract
from conformance.dtype import DTYPES, DType
from conformance.dtype_rules import DTypeIn, DTypeNotIn, SameDType
from conformance.platform_rules import ProductIn
from conformance.product import PRODUCTS, Product
from conformance.rule_kinds import parameters_of
from conformance.shape_rules import MOST_DIMS, Rank, SameShape
from conformance.signature import Role

REFUSAL = "refusal"
AXES = ("dtype", "rank", "layout", "special", "empty", "protocol", REFUSAL)
LAYOUTS = ("contiguous", "offset", "permuted", "gaps", "expanded")
FLOAT_SPECIALS, INTEGER_SPECIALS = ("nan", "inf", "zero", "subnormal", "largest"), ("zero", "smallest", "largest")
PROTOCOL = (
    "two_calls", "repeatable", "move", "stream", "short_workspace", "null_executor", "null_workspace", "refused_first",
    "asked_twice", "after", "repeated",
)  # fmt: skip
BREAKS, KEEPS, EXITS = "breaks", "keeps", "exits"
_DTYPE_RULES = (DTypeIn, DTypeNotIn)


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One thing to be covered; ``words`` spell it within its axis, ``product`` is where it is, None for anywhere."""

    axis: str
    words: tuple[str, ...]
    product: str | None = None

    def __str__(self) -> str:
        return "/".join((self.axis, *self.words, *([self.product] if self.product else [])))


def declared_cells(contract: Contract) -> list[Cell]:
    """Every cell of a contract, in the order of ``AXES``, each once."""
    cells = [
        *_dtypes(contract),
        *_ranks(contract),
        *_layouts(contract),
        *_specials(contract),
        *(Cell("empty", (name,)) for name in _may_be_empty(contract)),
        *(Cell("protocol", (word,)) for word in PROTOCOL),
        *_refusals(contract),
    ]
    return list(dict.fromkeys(cells))


def sides_of(constraint: Constraint) -> tuple[str, ...]:
    """Sides of a constraint that cases stand on: two, or the exit alone."""
    return (EXITS,) if isinstance(constraint.rule, EmptyExit) else (BREAKS, KEEPS)


def reason_against(contract: Contract, cell: Cell) -> str:
    """Why the contract says that a cell has no case; empty where it says nothing."""
    if cell.axis == REFUSAL:
        return next(one.untested for one in contract.constraints if one.label == cell.words[0])
    return next((entry.reason for entry in contract.untested_cells if entry.covers(str(cell))), "")


def specials_of(dtype: DType) -> tuple[str, ...]:
    """Words of the special values that a type has."""
    return FLOAT_SPECIALS if dtype.is_float else INTEGER_SPECIALS if dtype.is_integer else ()


def _dtypes(contract: Contract) -> Iterator[Cell]:
    for product in _products(contract):
        rules = _rules(contract, product)
        for parameter in contract.tensors:
            for dtype in _declared_dtypes(parameter.name, rules, product):
                yield Cell("dtype", (parameter.name, dtype.name), product.name)


def _declared_dtypes(name: str, rules: list[Rule], product: Product) -> list[DType]:
    """Types that the rules of a tensor, and of those that must have its type, all admit."""
    alike = _together(name, (rule.parameters for rule in rules if isinstance(rule, SameDType)))
    lists = [rule for rule in rules if isinstance(rule, _DTYPE_RULES) and alike.intersection(rule.parameters)]
    if not any(isinstance(rule, DTypeIn) for rule in lists):
        return []
    return [dtype for dtype in DTYPES.values() if _admit(lists, alike, TensorOutline(dtype, ()), product)]


def _ranks(contract: Contract) -> Iterator[Cell]:
    for product in _products(contract):
        rules = _rules(contract, product)
        for parameter in contract.tensors:
            alike = _together(parameter.name, (rule.parameters for rule in rules if isinstance(rule, SameShape)))
            limits = [rule for rule in rules if isinstance(rule, Rank) and alike.intersection(rule.parameters)]
            for rank in range(MOST_DIMS + 1) if limits else ():
                if _admit(limits, alike, TensorOutline(DTYPES["float32"], (1,) * rank), product):
                    yield Cell("rank", (parameter.name, str(rank)))


def _layouts(contract: Contract) -> Iterator[Cell]:
    """Every layout for every tensor; a tensor that is written may not be expanded."""
    for parameter in contract.tensors:
        for layout in LAYOUTS:
            if layout != "expanded" or not parameter.is_written:
                yield Cell("layout", (parameter.name, layout))


def _specials(contract: Contract) -> Iterator[Cell]:
    read = {parameter.name for parameter in contract.tensors if parameter.role is not Role.OUTPUT}
    for name, dtype in dict.fromkeys(cell.words for cell in _dtypes(contract) if cell.words[0] in read):
        for word in specials_of(DTYPES[dtype]):
            yield Cell("special", (name, dtype, word))


def _may_be_empty(contract: Contract) -> Iterator[str]:
    for product in _products(contract):
        for rule in _rules(contract, product):
            if isinstance(rule, EmptyExit):
                yield from rule.parameters


def _refusals(contract: Contract) -> Iterator[Cell]:
    for constraint in contract.constraints:
        if isinstance(constraint.rule, ProductIn):
            for name in PRODUCTS:
                yield Cell(REFUSAL, (constraint.label, KEEPS if name in constraint.rule.products else BREAKS), name)
            continue
        for product in filter(constraint.applies_to, _products(contract)):
            yield from (Cell(REFUSAL, (constraint.label, side), product.name) for side in sides_of(constraint))


def _products(contract: Contract) -> list[Product]:
    return [PRODUCTS[name] for name in contract.products]


def _rules(contract: Contract, product: Product) -> list[Rule]:
    return [constraint.rule for constraint in contract.enforced(product, without=Basis.IMPLEMENTATION)]


def _together(name: str, groups: Iterable[tuple[str, ...]]) -> set[str]:
    """A tensor and those that it must be like, by way of others too."""
    found, left = {name}, list(groups)
    while touching := [group for group in left if found.intersection(group)]:
        left = [group for group in left if group not in touching]
        found.update(*touching)
    return found


def _admit(rules: Iterable[Rule], names: set[str], tensor: TensorOutline, product: Product) -> bool:
    """Whether no rule refuses these tensors all of one form; rules say nothing about parameters not given."""
    facts: Facts = {name: tensor for rule in rules for name in parameters_of(rule) if name in names}
    return all(rule.check(facts, product) is None for rule in rules)
