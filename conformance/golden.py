"""What a reference answers: per output the golden values, admissible alternatives and the size of the terms summed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.tensor import Array


@dataclass(frozen=True, slots=True, eq=False)
class GoldenOutput:
    """Golden of one output, of the output's shape.

    ``value`` is float64 for floating-point outputs, complex128 for complex ones, and an exact integer or bool array
    otherwise; it is *not* rounded to the output's dtype. ``alternatives`` are further admissible answers, element by
    element (a threshold that the dtype cannot represent, NaN where the document is silent). ``terms`` is Σ|terms| per
    element (float64) where the result is a sum whose terms may cancel, ``term_count`` how many terms there are.
    ``flushing`` are the answers of arithmetic that takes subnormal operands as 0: admissible unless a standard forbids
    flushing, and counted by ``Metrics.flushed`` wherever only they explain an element.
    """

    value: Array
    alternatives: tuple[Array, ...] = ()
    terms: Array | None = None
    term_count: int = 1
    flushing: tuple[Array, ...] = ()

    @property
    def admissible(self) -> tuple[Array, ...]:
        """Every answer, the golden first."""
        return (self.value, *self.alternatives, *self.flushing)


Golden = Mapping[str, GoldenOutput]
"""Output parameter name → golden; an output the call leaves untouched (empty-tensor exit) is absent."""
