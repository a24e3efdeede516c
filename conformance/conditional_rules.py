"""Rules that hold only where another one does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.constraint import Facts, Rule, Violation, with_changes
from conformance.product import Product


@dataclass(frozen=True, slots=True)
class Given:
    """``rule`` holds where ``condition`` does, as a limit of a scalar that a flag puts into force."""

    condition: Rule
    rule: Rule

    def check(self, facts: Facts, product: Product) -> str | None:
        """What is wrong with the rule; None where the condition does not hold."""
        return None if self.condition.check(facts, product) is not None else self.rule.check(facts, product)

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Those of the rule that leave the condition as it is; none where it does not hold."""
        for violation in self.rule.violations(facts, product):
            if self.check(with_changes(facts, violation.changes), product) is not None:
                yield violation
