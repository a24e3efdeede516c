"""Rules about shapes that involve no broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from conformance.constraint import (
    Facts,
    TensorChange,
    TensorFacts,
    Violation,
    beside_first,
    id_word,
    spread,
    tensor_of,
    tensor_size,
    tensors_of,
)
from conformance.product import Product
from conformance.tensor import Shape

MOST_DIMS = 8
"""Dimensions beyond which no violation grows a shape by accident."""


@dataclass(frozen=True, slots=True)
class Rank:
    """Every tensor has ``min`` to ``max`` dimensions; ``together``: an earlier rule wants shapes alike."""

    parameters: tuple[str, ...]
    min: int = 0
    max: int | None = None
    together: bool = False

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor with too many or too few dimensions."""
        for name, tensor in tensors_of(facts, self.parameters):
            rank = len(tensor.shape)
            if rank < self.min or (self.max is not None and rank > self.max):
                return f"{name} has rank {rank}, not {_interval(self.min, self.max)}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """One dimension too many, extra ones of extent 1, and one too few where there is a lower limit."""
        if self.max is not None:
            rank = self.max + 1
            yield from spread(facts, self.parameters, f"rank_{rank}", _padded_to(rank), together=self.together)
        if self.min > 0:
            rank = self.min - 1
            yield from spread(facts, self.parameters, f"rank_{rank}", _padded_to(rank), together=self.together)


@dataclass(frozen=True, slots=True)
class Numel:
    """Every tensor has ``min`` to ``max`` elements; ``together``: an earlier rule wants the shapes alike."""

    parameters: tuple[str, ...]
    min: int = 0
    max: int | None = None
    together: bool = False

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor with too many or too few elements."""
        for name, tensor in tensors_of(facts, self.parameters):
            size = tensor_size(tensor)
            if size < self.min or (self.max is not None and size > self.max):
                return f"{name} has {size} elements, not {_interval(self.min, self.max)}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """A vector of one element too few, and one of one too many."""
        for count in ([self.min - 1] if self.min else []) + ([self.max + 1] if self.max is not None else []):
            yield from spread(facts, self.parameters, f"of_{count}", _vector_of(count), together=self.together)


@dataclass(frozen=True, slots=True)
class NumelOrder:
    """The ``larger`` tensor has at least as many elements as the ``smaller`` one."""

    larger: str
    smaller: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Gives both numbers of elements."""
        larger, smaller = tensor_of(facts, self.larger), tensor_of(facts, self.smaller)
        if larger is None or smaller is None or tensor_size(larger) >= tensor_size(smaller):
            return None
        return f"{self.larger} has {tensor_size(larger)} elements, {self.smaller} has {tensor_size(smaller)}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The larger one as a vector of one element too few."""
        smaller = tensor_of(facts, self.smaller)
        if smaller is not None and tensor_size(smaller):
            fewer = tensor_size(smaller) - 1
            yield from spread(facts, [self.larger], "one_fewer", _vector_of(fewer))


@dataclass(frozen=True, slots=True)
class SameShape:
    """All tensors have the first one's shape."""

    parameters: tuple[str, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the first tensor that differs from the first."""
        for first, model, name, tensor in beside_first(facts, self.parameters):
            if tuple(tensor.shape) != tuple(model.shape):
                return f"{name} has shape {shown(tensor.shape)}, {first} has {shown(model.shape)}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """For each tensor but the first: last dimension one longer, and one dimension of extent 1 more."""
        for name in self.parameters[1:]:
            yield from spread(facts, [name], "last_dim_grown", last_dim_grown)
            yield from spread(facts, [name], "rank_grown", rank_grown)


class WeightForm(Enum):
    """Which shapes a weight of one value a channel may have."""

    RANKED = "ranked"
    """1-D of C elements, or the tensor's rank with C at axis 1 and 1 everywhere else."""
    ANY_SHAPE = "any_shape"
    """Any shape of C elements."""


@dataclass(frozen=True, slots=True)
class ChannelWeight:
    """The weight has one element, or one for each of C channels of the tensor.

    C is the extent of axis 1, or 1 for a tensor of rank 0 or 1. A weight of one element may have any shape.
    ``alongside`` names tensors that a later rule wants in the weight's shape: violations change them with it.
    """

    weight: str
    tensor: str
    form: WeightForm
    alongside: tuple[str, ...] = ()

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the weight's shape and the number of channels."""
        weight, tensor = tensor_of(facts, self.weight), tensor_of(facts, self.tensor)
        if weight is None or tensor is None or (size := tensor_size(weight)) == 1:
            return None
        if not tensor.shape and self.form is WeightForm.RANKED:
            return f"{self.weight} has {size} elements, but {self.tensor} of rank 0 takes one"
        channels = _channels(tensor)
        if size != channels:
            return f"{self.weight} has {size} elements, {self.tensor} has {channels} channels"
        allowed = ((channels,), _ranked(tensor, channels))
        if self.form is WeightForm.ANY_SHAPE or tuple(weight.shape) in allowed:
            return None
        return f"{self.weight} has shape {shown(weight.shape)}, not {shown(allowed[0])} or {shown(allowed[1])}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """One element too many; for the ranked form also C at the wrong axis and the wrong rank."""
        tensor, word = tensor_of(facts, self.tensor), id_word(self.weight)
        if tensor is None or tensor_of(facts, self.weight) is None:
            return
        channels = _channels(tensor)
        shapes: dict[str, Shape] = {"one_too_many": (max(channels + 1, 2),)}
        if self.form is WeightForm.RANKED and channels > 1:
            shapes["channels_at_axis_0"] = (channels, *(1,) * (len(tensor.shape) - 1))
            shapes["rank_grown"] = (*_ranked(tensor, channels), 1)
        for how, shape in shapes.items():
            changed = TensorChange(shape=shape)
            yield Violation(f"{word}_{how}", dict.fromkeys((self.weight, *self.alongside), changed))


def last_dim_grown(tensor: TensorFacts) -> TensorChange | None:
    """Last dimension one longer; None for rank 0."""
    return TensorChange(shape=(*tensor.shape[:-1], tensor.shape[-1] + 1)) if tensor.shape else None


def rank_grown(tensor: TensorFacts) -> TensorChange | None:
    """One leading dimension of extent 1 more; None where that would exceed the usual limit of 8."""
    return TensorChange(shape=(1, *tensor.shape)) if len(tensor.shape) < MOST_DIMS else None


def shown(shape: Shape) -> str:
    """Shape for people, as Python writes it."""
    return str(tuple(shape))


def _vector_of(count: int) -> Callable[[TensorFacts], TensorChange]:
    return lambda _: TensorChange(shape=(count,))


def _padded_to(rank: int) -> Callable[[TensorFacts], TensorChange]:
    def change(tensor: TensorFacts) -> TensorChange:
        kept = tensor.shape[max(len(tensor.shape) - rank, 0) :] if rank else ()
        return TensorChange(shape=(1,) * (rank - len(kept)) + tuple(kept))

    return change


def _channels(tensor: TensorFacts) -> int:
    return tensor.shape[1] if len(tensor.shape) > 1 else 1


def _ranked(tensor: TensorFacts, channels: int) -> Shape:
    return tuple(channels if axis == 1 else 1 for axis in range(len(tensor.shape)))


def _interval(low: int, high: int | None) -> str:
    return f"{low} or more" if high is None else f"{low} to {high}"
