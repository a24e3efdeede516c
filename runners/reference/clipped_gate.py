"""Clipped SwiGLU: the halves are cut to a limit before SwiGLU, and its gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import prod

import torch

from runners.reference.arguments import Answer, Arguments
from runners.reference.halves import Pair, along, beside, flag, joined, parted, rows_of
from runners.reference.swish_gate import gate, gradients


@dataclass(frozen=True, slots=True)
class Clip:
    """The attributes: y = a·σ(alpha·a)·(b + bias) with a up to ``limit`` and b between −limit and limit."""

    alpha: float
    limit: float
    bias: float

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> Answer:
        """``y`` of the halves."""
        return merged([gate(x, y, self.alpha, self.bias) for x, y in self._cut(a, b)])

    def backward(self, g: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> tuple[Answer, Answer]:
        """Gradients with respect to a and b: 0 beyond the limits; at a limit itself 0 will do too."""
        pairs = [gradients(g, x, y, self.alpha, self.bias) for x, y in self._cut(a, b)]
        left, right = (merged(list(answers)) for answers in zip(*pairs, strict=True))
        return _within(left, a, self.limit), _within(right, b.abs(), self.limit)

    def _cut(self, a: torch.Tensor, b: torch.Tensor) -> Iterator[Pair]:
        """The halves cut; a NaN stays or becomes a limit, since it is neither above nor below one."""
        limit, nan = self.limit, torch.nan
        lows, highs = [nan, limit], [nan, limit, -limit]
        for low in lows if a.isnan().any() else lows[:1]:
            for high in highs if b.isnan().any() else highs[:1]:
                x = torch.where(a.isnan(), low, a.clamp(max=limit))
                yield x, torch.where(b.isnan(), high, b.clamp(-limit, limit))


def clip_of(arguments: Arguments) -> Clip:
    """The attributes of a call."""
    return Clip(arguments.number("alpha"), arguments.number("limit"), arguments.number("bias"))


def readings_of(arguments: Arguments, *names: str) -> Iterator[tuple[tuple[torch.Tensor, ...], Callable[..., Answer]]]:
    """Halves of x, each followed by the tensors named, and how two answers become one of x's shape.

    The axes from ``dim`` on count as one; where every second element goes to either half, they may also be those
    along ``dim`` alone, which is the same for the last axis.
    """
    x, dim, interleaved = arguments.tensor("x"), arguments.integer("dim"), flag(arguments, "interleaved")
    others = [arguments.tensor(name) for name in names]
    left, right = parted(rows_of(x, dim), interleaved)
    halved = (*x.shape[: dim % x.ndim], x.shape[dim] // 2, *x.shape[dim % x.ndim + 1 :])

    def whole(a: Answer, b: Answer) -> Answer:
        return mapped(lambda p, q: joined(_rows(p, dim), _rows(q, dim), interleaved).reshape(x.shape), a, b)

    yield (left.reshape(halved), right.reshape(halved), *others), whole
    if interleaved and dim % x.ndim != x.ndim - 1:

        def woven(a: Answer, b: Answer) -> Answer:
            place = dim % x.ndim
            return mapped(lambda p, q: torch.stack((p, q), place + 1).reshape(x.shape), a, b)

        yield (*along(x, dim, True), *others), woven


def with_free_rows(arguments: Arguments, answer: Answer) -> Answer:
    """The answer, of which the rows at and beyond the sum of ``groupIndexOptional`` may hold anything.

    A sum beyond the rows leaves none of them free.
    """
    if arguments.is_null("groupIndexOptional"):
        return answer
    dim = arguments.integer("dim") % answer.value.ndim
    count = int(arguments.tensor("groupIndexOptional").sum())
    rows = torch.arange(prod(answer.value.shape[:dim])) >= count
    free = rows.reshape(*answer.value.shape[:dim], *[1] * (answer.value.ndim - dim)).expand(answer.value.shape)
    return replace(answer, free=free)


def merged(answers: list[Answer]) -> Answer:
    """The first answer, the others' values and alternatives as its alternatives, with the largest terms of all."""
    first, *others = answers
    alternatives = [*first.alternatives, *(v for other in others for v in (other.value, *other.alternatives))]
    terms = first.terms
    for other in others:
        if terms is not None and other.terms is not None:
            terms = torch.fmax(terms, other.terms)
    return replace(first, alternatives=tuple(alternatives), terms=terms)


def mapped(join: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], a: Answer, b: Answer) -> Answer:
    """Two answers joined, alternative by alternative."""
    flat = beside(_flat(a), _flat(b), 0)

    def both(values: torch.Tensor) -> torch.Tensor:
        left, right = values.chunk(2, 0)
        return join(left.reshape(a.value.shape), right.reshape(b.value.shape))

    terms = None if flat.terms is None else both(flat.terms)
    return Answer(both(flat.value), tuple(map(both, flat.alternatives)), terms)


def _flat(answer: Answer) -> Answer:
    terms = None if answer.terms is None else answer.terms.reshape(-1)
    return Answer(answer.value.reshape(-1), tuple(v.reshape(-1) for v in answer.alternatives), terms)


def _rows(half: torch.Tensor, dim: int) -> torch.Tensor:
    return half.reshape(prod(half.shape[: dim % half.ndim]), -1)


def _within(answer: Answer, size: torch.Tensor, limit: float) -> Answer:
    zero = torch.zeros_like(size)
    everything = (answer.value, *answer.alternatives)
    value = torch.where(size > limit, zero, answer.value)
    others = [torch.where(size > limit, zero, other) for other in everything[1:]]
    others += [torch.where(size < limit, other, zero) for other in everything]
    return replace(answer, value=value, alternatives=tuple(others))
