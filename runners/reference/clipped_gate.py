"""Clipped SwiGLU: the halves are cut to a limit before SwiGLU, and its gradients.

Readings of a call lie along one more axis of its tensors, the first: torch takes as long for one small tensor as for
all of them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import prod

import torch

from runners.reference.arguments import Answer, Arguments
from runners.reference.halves import Pair, along, flag, joined, parted, rows_of
from runners.reference.swish_gate import gate, gradients

Join = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Makes one tensor of two halves, for each reading."""


@dataclass(frozen=True, slots=True)
class Clip:
    """The attributes: y = a·σ(alpha·a)·(b + bias) with a up to ``limit`` and b between −limit and limit."""

    alpha: float
    limit: float
    bias: float

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> Answer:
        """``y`` of the halves."""
        values, terms = _stacked(gate(*self._cut(a, b), self.alpha, self.bias))
        return _answer(values, terms)

    def backward(self, join: Join, g: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> Answer:
        """Gradients with respect to a and b, joined: 0 beyond the limits; at a limit itself 0 will do too."""
        left, right = map(_stacked, gradients(g, *self._cut(a, b), self.alpha, self.bias))
        values = join(_within(left[0], a, self.limit), _within(right[0], b.abs(), self.limit))
        return _answer(values, join(left[1][None], right[1][None])[0])

    def _cut(self, a: torch.Tensor, b: torch.Tensor) -> Pair:
        """The halves cut, every reading: a NaN stays or becomes a limit, since it is neither above nor below one."""
        limit, nan = self.limit, torch.nan
        lows = [nan, limit] if a.isnan().any() else [nan]
        highs = [nan, limit, -limit] if b.isnan().any() else [nan]
        x, y = a.clamp(max=limit), b.clamp(-limit, limit)
        lefts = [torch.where(a.isnan(), low, x) for low in lows]
        rights = [torch.where(b.isnan(), high, y) for high in highs]
        chosen = list(product(lefts, rights))
        return torch.stack([left for left, _ in chosen]), torch.stack([right for _, right in chosen])


def clip_of(arguments: Arguments) -> Clip:
    """The attributes of a call."""
    return Clip(arguments.number("alpha"), arguments.number("limit"), arguments.number("bias"))


def readings_of(arguments: Arguments) -> Iterator[tuple[Pair, Join]]:
    """Halves of x, and how readings of such halves become readings of x's shape.

    The axes from ``dim`` on count as one; where every second element goes to either half, they may also be those
    along ``dim`` alone, which is the same for the last axis.
    """
    x, dim, interleaved = arguments.tensor("x"), arguments.integer("dim"), flag(arguments, "interleaved")
    left, right = parted(rows_of(x, dim), interleaved)
    place = dim % x.ndim
    halved = (*x.shape[:place], x.shape[dim] // 2, *x.shape[place + 1 :])

    def whole(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return joined(rows_of(a, place + 1), rows_of(b, place + 1), interleaved).reshape(-1, *x.shape)

    yield (left.reshape(halved), right.reshape(halved)), whole
    if interleaved and place != x.ndim - 1:

        def woven(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return torch.stack((a, b), place + 2).reshape(-1, *x.shape)

        yield along(x, dim, True), woven


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


def _stacked(answer: Answer) -> tuple[torch.Tensor, torch.Tensor]:
    """Value and alternatives of an answer to several readings, reading by reading, and the largest terms of all."""
    assert answer.terms is not None
    values = torch.stack((answer.value, *answer.alternatives), 1).flatten(0, 1)
    first, *others = answer.terms.unbind(0)
    return values, reduce(torch.fmax, others, first)


def _answer(values: torch.Tensor, terms: torch.Tensor) -> Answer:
    value, *alternatives = values.unbind(0)
    return Answer(value, tuple(alternatives), terms)


def _within(values: torch.Tensor, size: torch.Tensor, limit: float) -> torch.Tensor:
    zero = torch.zeros_like(size)
    return torch.cat((torch.where(size > limit, zero, values), torch.where(size < limit, values, zero)))
