"""Rules about the product that a call runs on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.constraint import Facts, Violation
from conformance.product import Product


@dataclass(frozen=True, slots=True)
class ProductIn:
    """The product is a listed one: an API that answers on the others too, and refuses there."""

    products: frozenset[str]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the product."""
        return None if product.name in self.products else f"{product} is not supported"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """None: no argument breaks it."""
        return iter(())
