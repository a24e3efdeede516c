"""What a fault is: an id, a class, how hard it is to find, where it applies, and the runner that has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from conformance.contract import Contract
from conformance.product import PRODUCTS, Product
from conformance.runner import Runner

OURS = "ours"
"""Source of a fault that no public report was found for."""
DEFAULT_PRODUCTS = ("ascend910b",)


class FaultClass(Enum):
    """What part of an implementation is wrong."""

    PREDICATE = "predicate"
    ATTRIBUTE = "attribute"
    FORMULA = "formula"
    LAYOUT = "layout"
    BROADCAST = "broadcast"
    DTYPE = "dtype"
    RANGE = "range"
    TAIL = "tail"
    REDUCTION = "reduction"
    MEMORY = "memory"
    STATE = "state"
    STATUS = "status"
    NONDETERMINISM = "nondeterminism"
    RANDOM = "random"
    PRODUCT = "product"
    ALIAS = "alias"


class Difficulty(Enum):
    """How much it takes to see a fault.

    easy: one obvious value or shape shows it. medium: a crossed condition (type × value, view × argument, rank ×
    attribute). hard: a certain size, order of calls or repetition, or a rule stricter than published tolerances.
    """

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


EASY, MEDIUM, HARD = Difficulty.EASY, Difficulty.MEDIUM, Difficulty.HARD
Applies = Callable[[Contract, Product], bool]


def everywhere(contract: Contract, product: Product) -> bool:
    """Whether it applies: always."""
    return True


@dataclass(frozen=True, slots=True)
class Fault:
    """One faulty implementation.

    ``applies`` tells from the contract on which APIs the fault can be built; ``no_fault`` names those where what it
    builds is admissible all the same, and why. ``isolated`` runners crash or hang and need a process of their own;
    ``stateful`` ones remember calls, so that the order of cases matters.
    """

    kind: FaultClass
    id: str
    difficulty: Difficulty
    about: str
    source: str
    build: Callable[[], Runner]
    applies: Applies = everywhere
    products: tuple[str, ...] = DEFAULT_PRODUCTS
    no_fault: Mapping[str, str] = field(default_factory=dict)
    isolated: bool = False
    stateful: bool = False

    def is_in(self, contract: Contract, product: Product) -> bool:
        """Whether the implementation of that API on that product has this fault."""
        listed = product.name in self._products_of(contract) and product.name in contract.products
        return listed and contract.api not in self.no_fault and self.applies(contract, product)

    def places(self, contracts: Mapping[str, Contract]) -> list[tuple[str, str]]:
        """API and product of every implementation that has this fault."""
        return [
            (api, name)
            for name in dict.fromkeys((*self.products, *PRODUCTS))
            for api, contract in contracts.items()
            if self.is_in(contract, PRODUCTS[name])
        ]

    def _products_of(self, contract: Contract) -> tuple[str, ...]:
        """Its own products; of an API without the usual one the first that it has."""
        usual = self.products == DEFAULT_PRODUCTS and not set(self.products) & set(contract.products)
        return contract.products[:1] if usual else self.products


@dataclass(frozen=True, slots=True)
class Scope:
    """Which implementations are looked at: these APIs on these products, all where none is named."""

    apis: tuple[str, ...] = ()
    products: tuple[str, ...] = ()

    def places(self, fault: Fault, contracts: Mapping[str, Contract]) -> list[tuple[str, str]]:
        """API and product of the implementations in scope that have the fault."""
        return [
            (api, product)
            for api, product in fault.places(contracts)
            if (not self.apis or api in self.apis) and (not self.products or product in self.products)
        ]


EVERYWHERE = Scope()
