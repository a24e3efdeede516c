"""Tensors split in two: along an axis, or every second element to either side; and put together again."""

from __future__ import annotations

from math import prod

import torch

from runners.reference.arguments import Answer, Arguments

Pair = tuple[torch.Tensor, torch.Tensor]


def rows_of(x: torch.Tensor, dim: int) -> torch.Tensor:
    """A matrix: the axes before ``dim`` make the rows, ``dim`` and those after it the columns."""
    return x.reshape(prod(x.shape[: dim % x.ndim]), -1)


def parted(rows: torch.Tensor, interleaved: bool) -> Pair:
    """Columns of even and of odd number, or the left and the right ones."""
    if interleaved:
        return rows[:, 0::2], rows[:, 1::2]
    left, right = rows.chunk(2, 1)
    return left, right


def joined(left: torch.Tensor, right: torch.Tensor, interleaved: bool) -> torch.Tensor:
    """The rows whose parts these are."""
    return torch.stack((left, right), -1).flatten(1) if interleaved else torch.cat((left, right), 1)


def along(x: torch.Tensor, dim: int, interleaved: bool) -> Pair:
    """Parts along one axis, the other axes as they are: for inner axes another reading than that of ``parted``."""
    if interleaved:
        even, odd = torch.arange(x.shape[dim]).reshape(-1, 2).unbind(1)
        return x.index_select(dim, even), x.index_select(dim, odd)
    left, right = x.chunk(2, dim)
    return left, right


def beside(left: Answer, right: Answer, dim: int) -> Answer:
    """The answers one behind the other along an axis, alternative by alternative."""
    lefts, rights = (left.value, *left.alternatives), (right.value, *right.alternatives)
    count = max(len(lefts), len(rights))
    lefts, rights = lefts + lefts[-1:] * (count - len(lefts)), rights + rights[-1:] * (count - len(rights))
    value, *others = [torch.cat(pair, dim) for pair in zip(lefts, rights, strict=True)]
    terms = None if left.terms is None or right.terms is None else torch.cat((left.terms, right.terms), dim)
    return Answer(value, tuple(others), terms=terms)


def flag(arguments: Arguments, name: str) -> bool:
    """Value of a bool argument."""
    return bool(arguments.integer(name))
