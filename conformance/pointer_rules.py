"""Rules about null pointers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.constraint import Facts, Violation, id_word
from conformance.product import Product


@dataclass(frozen=True, slots=True)
class NotNull:
    """None of the pointers is null; ``workspaceSize`` and ``executor`` may be named like parameters."""

    parameters: tuple[str, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first null pointer, in the order of the rule."""
        return next((f"{name} is null" for name in self.parameters if name in facts and facts[name] is None), None)

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Null for each pointer in turn."""
        return (Violation(f"null_{id_word(name)}", {name: None}) for name in self.parameters)


@dataclass(frozen=True, slots=True)
class Null:
    """All of the pointers are null: optional parameters that another one rules out."""

    parameters: tuple[str, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first pointer that is not null."""
        return next((f"{name} is not null" for name in self.parameters if facts.get(name) is not None), None)

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """None: what to pass instead, the rule cannot know."""
        return iter(())
