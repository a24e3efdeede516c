"""The largest shape of a call: small ones of every rank, long vectors at switch points, now and then an empty one."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from conformance.contract import Contract
from conformance.dtype import DTYPES
from conformance.product import Product
from conformance.sizes import size_ladder
from conformance.tensor import Shape
from runners.fuzz.choices import Choices
from runners.fuzz.shapes import ranks

_SAME = 0
_EXTENTS = (1, _SAME, 2, 3, _SAME, 4, 2, 5)
"""Extents of small shapes; the same as the axis before shrinks together with it."""
_LENGTHS = (15, 16, 17, 31, 33)
_SMALL = 64
"""Elements beyond which axes of small shapes are 1."""


def lengths(contract: Contract, product: Product, cap: int) -> list[int]:
    """Vector lengths up to ``cap`` at which something may change, for 16 and 32 bits alike."""
    types = (DTYPES["float16"], DTYPES["float32"])
    ladders = (size_ladder(contract.api, product, dtype, cap) for dtype in types)
    return sorted({size for ladder in ladders for size in ladder if size > 1}.union(_LENGTHS))


def root_shape(legal: Sequence[int], long: Sequence[int], choices: Choices) -> Shape:
    """A shape of one of the ``legal`` ranks, up to 64 elements or with a last axis from ``long``."""
    rank = choices.pick([rank for rank in (1, 2, 3, 0, 4, 5, 8, *legal) if rank in legal])
    shape: list[int] = []
    for index in choices.indices(len(_EXTENTS), rank):
        extent = _EXTENTS[index] or (shape[-1] if shape else 1)
        shape.append(extent if extent * prod(shape) <= _SMALL else 1)
    if shape and _now_and_then(choices, 6):
        shape = [*[1 if extent > 3 else extent for extent in shape[:-1]], choices.pick(long)]
    if shape and _now_and_then(choices, 16):
        shape[choices.pick(range(rank))] = 0
    return tuple(shape)


def ranks_of(contract: Contract, product: Product) -> list[int]:
    """Ranks that the contract allows, as a list."""
    return list(ranks(contract, product))


def _now_and_then(choices: Choices, times: int) -> bool:
    """True once in so many times."""
    return choices.pick(range(times)) == times - 1
