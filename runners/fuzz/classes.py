"""Which tensors of a contract have to be alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from conformance.contract import Basis, Contract
from conformance.product import Product

R = TypeVar("R")
Classes = Mapping[str, str]
"""Tensor parameter → the parameter that stands for all those it must be like."""


def rules_of(contract: Contract, product: Product, kind: type[R]) -> Iterator[R]:
    """Rules of one kind that hold on a product, whoever states them: a legal call keeps them all."""
    return (c.rule for c in contract.constraints if c.applies_to(product) and isinstance(c.rule, kind))


def enforced_rules(contract: Contract, product: Product, kind: type[R]) -> Iterator[R]:
    """Rules of one kind that the implementation enforces on a product."""
    return (c.rule for c in contract.enforced(product, without=Basis.DOCUMENT) if isinstance(c.rule, kind))


def classes(names: Iterable[str], alike: Iterable[tuple[str, ...]]) -> Classes:
    """Classes of ``names`` when the members of each tuple are alike."""
    leader = {name: name for name in names}
    for first, *others in alike:
        for other in others:
            old, new = leader[other], leader[first]
            leader.update({name: new for name, its in leader.items() if its == old})
    return leader
