"""Rules about shapes that broadcast: trailing dimensions align, extents are equal or 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from math import prod

from conformance.constraint import Facts, Violation, spread, tensor_of, tensor_size, tensors_of
from conformance.product import Product
from conformance.shape_rules import last_dim_grown, rank_grown, shown
from conformance.tensor import Shape


def broadcast(*shapes: Shape) -> Shape | None:
    """Shape that all of them broadcast to; None when two extents differ and neither is 1."""
    result: list[int] = []
    for extents in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        distinct = {extent for extent in extents if extent != 1}
        if len(distinct) > 1:
            return None
        result.append(distinct.pop() if distinct else 1)
    return tuple(reversed(result))


@dataclass(frozen=True, slots=True)
class BroadcastsTo:
    """The parameter broadcast with the target has the target's own shape."""

    parameter: str
    target: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names both shapes."""
        tensor, target = tensor_of(facts, self.parameter), tensor_of(facts, self.target)
        if tensor is None or target is None or broadcast(tensor.shape, target.shape) == tuple(target.shape):
            return None
        return (
            f"{self.parameter} of shape {shown(tensor.shape)} does not broadcast to"
            f" {self.target} of shape {shown(target.shape)}"
        )

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Last dimension longer than the target's, and one dimension more than the target has."""
        target = tensor_of(facts, self.target)
        if target is not None:
            yield from spread(facts, [self.parameter], "last_dim_grown", lambda _: last_dim_grown(target))
            yield from spread(facts, [self.parameter], "rank_grown", lambda _: rank_grown(target))


def _all_given(facts: Facts, parameters: tuple[str, ...]) -> bool:
    return len(list(tensors_of(facts, parameters))) == len(parameters)


def _broadcast(facts: Facts, parameters: tuple[str, ...]) -> tuple[Shape | None, str]:
    """What the tensors' shapes broadcast to, None where they do not, and the shapes in words."""
    tensors = list(tensors_of(facts, parameters))
    shapes = ", ".join(f"{name} {shown(tensor.shape)}" for name, tensor in tensors)
    return broadcast(*(tensor.shape for _, tensor in tensors)), shapes


@dataclass(frozen=True, slots=True)
class BroadcastResult:
    """The parameters broadcast with one another, and the result is the output's shape."""

    parameters: tuple[str, ...]
    output: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the shapes that do not broadcast, or the result and the output's shape."""
        output = tensor_of(facts, self.output)
        if output is None or not _all_given(facts, self.parameters):
            return None
        result, shapes = _broadcast(facts, self.parameters)
        if result == tuple(output.shape):
            return None
        if result is None:
            return f"{shapes} do not broadcast"
        return f"{shapes} broadcast to {shown(result)}, {self.output} has shape {shown(output.shape)}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Last dimension of each input and of the output longer, and one dimension more in the output."""
        for name in (*self.parameters, self.output):
            yield from spread(facts, [name], "last_dim_grown", last_dim_grown)
        yield from spread(facts, [self.output], "rank_grown", rank_grown)


@dataclass(frozen=True, slots=True)
class BroadcastNumel:
    """The parameters broadcast with one another, and the output holds as many elements as the result."""

    parameters: tuple[str, ...]
    output: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the shapes that do not broadcast, or both numbers of elements."""
        output = tensor_of(facts, self.output)
        if output is None or not _all_given(facts, self.parameters):
            return None
        result, shapes = _broadcast(facts, self.parameters)
        if result is None:
            return f"{shapes} do not broadcast"
        if prod(result) == tensor_size(output):
            return None
        return f"{shapes} broadcast to {prod(result)} elements, {self.output} has {tensor_size(output)}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Last dimension of each input and of the output longer."""
        for name in (*self.parameters, self.output):
            yield from spread(facts, [name], "last_dim_grown", last_dim_grown)
