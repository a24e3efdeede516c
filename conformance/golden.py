"""What a reference answers: per output the golden values, admissible alternatives and the size of the terms summed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from conformance.dtype import DType
from conformance.law import Law
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
    ``law`` is there where elements are random; ``value`` then holds draws of the reference's own in their places.
    ``free`` (bool) marks elements of which the document says nothing, such as rows that are not computed: they may hold
    anything.
    """

    value: Array
    alternatives: tuple[Array, ...] = ()
    terms: Array | None = None
    term_count: int = 1
    flushing: tuple[Array, ...] = ()
    law: Law | None = None
    free: Array | None = None

    @property
    def admissible(self) -> tuple[Array, ...]:
        """Every answer, the golden first."""
        return (self.value, *self.alternatives, *self.flushing)

    def beside(self, output: Array, dtype: DType) -> GoldenOutput:
        """The golden that an output is compared with: for each draw the admissible one nearest to it, NaN aside.

        What is free is compared with itself.
        """
        if self.free is not None:
            settled = np.where(self.free, output.astype(self.value.dtype), self.value)
            return replace(self, value=settled, free=None).beside(output, dtype)
        if self.law is None:
            return self
        with np.errstate(all="ignore"):
            nearest = self.law.nearest(output.astype(np.float64), dtype)
        nearest = np.where(np.isnan(nearest), self.value, nearest)
        value = np.where(self.law.drawn, nearest, self.value)
        either = (np.where(self.law.either, nearest, value),) if self.law.either.any() else ()
        return replace(self, value=value, alternatives=(*self.alternatives, *either))


@dataclass(frozen=True, slots=True, eq=False)
class Following:
    """Golden of an output that follows from what the call writes into others, ``outputs``, such as random factors.

    ``golden`` makes it from their elements; ``nbytes`` is the size of what it keeps of the call for that.
    """

    outputs: tuple[str, ...]
    golden: Callable[[Mapping[str, Array]], GoldenOutput]
    nbytes: int = 0


Golden = Mapping[str, GoldenOutput | Following]
"""Output parameter name → golden; an output the call leaves untouched (empty-tensor exit) is absent."""


def follow(golden: Golden, written: Mapping[str, Array]) -> dict[str, GoldenOutput]:
    """Every golden as values, given the elements that were written into each output."""
    return {name: one.golden(written) if isinstance(one, Following) else one for name, one in golden.items()}


def samples(golden: Golden) -> dict[str, Array]:
    """What a call might write into the outputs whose goldens are values: the values themselves."""
    return {name: one.value for name, one in golden.items() if isinstance(one, GoldenOutput)}
