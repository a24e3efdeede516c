"""Rules about one axis of a tensor: its length, its multiples, and which tensor has it halved or lacks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import prod

from conformance.call import Attribute
from conformance.constraint import Facts, TensorChange, TensorFacts, Violation, id_word, spread, tensor_of
from conformance.product import Product
from conformance.shape_rules import last_dim_grown, rank_grown, shown
from conformance.tensor import Shape


@dataclass(frozen=True, slots=True)
class Halved:
    """``half`` has the shape of ``whole`` with one axis halved, rounded down.

    The axis is the value of the attribute ``axis``, or ``at`` where none is named. An axis that ``whole`` has not is
    left to another rule. Rank 0 counts as a vector of no elements, as implementations read a missing dimension.
    """

    half: str
    whole: str
    axis: str | None = None
    at: int = -1

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names both shapes."""
        half, wanted = tensor_of(facts, self.half), self._wanted(facts)
        if half is None or wanted is None or tuple(half.shape) == wanted:
            return None
        return f"{self.half} has shape {shown(half.shape)}, half of {self.whole} has {shown(wanted)}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The half with its last dimension one longer, with a dimension more, and in the whole's own shape."""
        whole = tensor_of(facts, self.whole)
        if whole is None or tensor_of(facts, self.half) is None:
            return
        yield from spread(facts, [self.half], "last_dim_grown", last_dim_grown)
        yield from spread(facts, [self.half], "rank_grown", rank_grown)
        yield from spread(facts, [self.half], "not_halved", lambda _: TensorChange(shape=tuple(whole.shape)))

    def _wanted(self, facts: Facts) -> Shape | None:
        whole = tensor_of(facts, self.whole)
        if whole is None:
            return None
        shape = tuple(whole.shape) or (0,)
        axis = axis_of(facts, self.axis, self.at, len(shape))
        return None if axis is None else with_extent(shape, axis, shape[axis] // 2)


@dataclass(frozen=True, slots=True)
class WithoutAxis:
    """``reduced`` has the shape of ``whole`` less one axis, named as by ``Halved``: one element a row."""

    reduced: str
    whole: str
    axis: str | None = None
    at: int = -1

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names both shapes."""
        reduced, whole = tensor_of(facts, self.reduced), tensor_of(facts, self.whole)
        axis = None if whole is None else axis_of(facts, self.axis, self.at, len(whole.shape))
        if reduced is None or whole is None or axis is None:
            return None
        wanted = (*whole.shape[:axis], *whole.shape[axis + 1 :])
        if tuple(reduced.shape) == wanted:
            return None
        return f"{self.reduced} has shape {shown(reduced.shape)}, {self.whole} without axis {axis} has {shown(wanted)}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The last dimension one longer, one dimension more, and the whole's own shape."""
        whole = tensor_of(facts, self.whole)
        if whole is None:
            return
        yield from spread(facts, [self.reduced], "last_dim_grown", last_dim_grown)
        yield from spread(facts, [self.reduced], "rank_grown", rank_grown)
        yield from spread(facts, [self.reduced], "not_reduced", lambda _: TensorChange(shape=tuple(whole.shape)))


class Over(Enum):
    """Which extents of a tensor are multiplied."""

    AXIS = "axis"
    """That of the axis alone."""
    TRAILING = "trailing"
    """Those from the axis to the last one."""
    OTHERS = "others"
    """All but that of the axis."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The elements along an axis, from it on or across all others are ``min`` to ``max`` and a multiple of a number.

    The axis is named as by ``Halved``; rank 0 counts as a vector of no elements there too. With ``bytes`` the multiple
    is one of bytes of the tensor's type.
    """

    tensor: str
    axis: str | None = None
    at: int = -1
    over: Over = Over.AXIS
    min: int = 0
    max: int | None = None
    multiple_of: int = 1
    bytes: bool = False

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the number of elements and what is wrong with it."""
        tensor = tensor_of(facts, self.tensor)
        if tensor is None:
            return None
        shape = tuple(tensor.shape) or (0,)
        axis = axis_of(facts, self.axis, self.at, len(shape))
        return None if axis is None else self._fault(tensor, axis, prod(_chosen(shape, axis, self.over)))

    def _fault(self, tensor: TensorFacts, axis: int, count: int) -> str | None:
        what = f"{self.tensor} has {count} elements {_WORDS[self.over]} axis {axis}"
        if count < self.min:
            return f"{what}, not {self.min} or more"
        if self.max is not None and count > self.max:
            return f"{what}, not {self.max} or less"
        size = count * (tensor.dtype.itemsize if self.bytes else 1)
        unit = " bytes" if self.bytes else ""
        return f"{what}, not a multiple of {self.multiple_of}{unit}" if size % self.multiple_of else None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """One element too few, one too many, and one more than a multiple; other extents are 1 where they count."""
        tensor = tensor_of(facts, self.tensor)
        axis = None if tensor is None else axis_of(facts, self.axis, self.at, len(tensor.shape))
        if tensor is None or axis is None:
            return
        counts = {}
        if self.min > 0:
            counts["too_few"] = self.min - 1
        if self.max is not None:
            counts["too_many"] = self.max + 1
        if self.multiple_of > 1:
            counts["no_multiple"] = tensor.shape[axis] // self.multiple_of * self.multiple_of + 1
        for word, count in counts.items():
            changed = TensorChange(shape=self._of(tuple(tensor.shape), axis, count))
            yield Violation(f"{id_word(self.tensor)}_{word}", {self.tensor: changed})

    def _of(self, shape: Shape, axis: int, count: int) -> Shape:
        """The shape with ``count`` elements where the rule counts."""
        if self.over is Over.AXIS:
            return with_extent(shape, axis, count)
        if self.over is Over.TRAILING:
            return (*shape[:axis], count, *(1 for _ in shape[axis + 1 :]))
        ones = tuple(extent if place == axis else 1 for place, extent in enumerate(shape))
        return with_extent(ones, 1 if axis == 0 else 0, count) if len(shape) > 1 else shape


_WORDS = {Over.AXIS: "along", Over.TRAILING: "from", Over.OTHERS: "across"}


def axis_of(facts: Facts, attribute: str | None, at: int, rank: int) -> int | None:
    """Place of the axis that an attribute names, or ``at`` without one; None where the rank has no such axis."""
    fact = facts.get(attribute) if attribute else None
    value = fact.value if isinstance(fact, Attribute) else at
    if not isinstance(value, int) or not -rank <= value < rank:
        return None
    return value % rank


def with_extent(shape: Shape, axis: int, extent: int) -> Shape:
    """The shape with another extent along an axis."""
    return (*shape[:axis], extent, *shape[axis + 1 :])


def _chosen(shape: Shape, axis: int, over: Over) -> Shape:
    if over is Over.AXIS:
        return shape[axis : axis + 1]
    return shape[axis:] if over is Over.TRAILING else (*shape[:axis], *shape[axis + 1 :])
