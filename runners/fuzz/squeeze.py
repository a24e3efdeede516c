"""Makes a legal call smaller in steps that touch several tensors at once; hypothesis shrinks one draw at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

from conformance.errors import InvalidSpec
from conformance.product import Product
from runners.fuzz.attempts import REFUSAL, Attempt, elements_of
from runners.fuzz.bodies import answer, expectation, facts_of

Reshape = Callable[[list[int]], list[int]]


def squeeze(attempt: Attempt, product: Product, fails: Callable[[Attempt], bool]) -> Attempt:
    """The smallest attempt that still fails, of those that steps lead to; refusals are left as they are."""
    while attempt.property != REFUSAL:
        smaller = next(filter(fails, _smaller(attempt, product)), None)
        if smaller is None:
            break
        attempt = smaller
    return attempt


def _smaller(attempt: Attempt, product: Product) -> Iterator[Attempt]:
    """Legal calls that an extent, or an axis of 1, was taken from everywhere at once."""
    arguments = attempt.groups[0]["arguments"]
    shapes = [argument["shape"] for argument in arguments.values() if _is_tensor(argument)]
    extents = sorted({extent for shape in shapes for extent in shape if extent > 1}, reverse=True)
    steps: list[Reshape] = [partial(_lowered, old, new) for old in extents for new in range(1, old)]
    rank = max(map(len, shapes), default=0)
    steps += [partial(_without, axis, rank) for axis in range(rank)]
    for step in steps:
        for head in (True, False):
            smaller = _stepped(attempt, product, step, head)
            if smaller is not None:
                yield smaller


def _lowered(old: int, new: int, shape: list[int]) -> list[int]:
    return [new if extent == old else extent for extent in shape]


def _without(axis: int, rank: int, shape: list[int]) -> list[int]:
    fits = len(shape) == rank and shape[axis] == 1
    return [*shape[:axis], *shape[axis + 1 :]] if fits else shape


def _stepped(attempt: Attempt, product: Product, step: Reshape, head: bool) -> Attempt | None:
    """The attempt with every shape changed by a step; None when that is no smaller or no legal call."""
    legal = attempt.groups[0]
    arguments = {
        name: _cut(argument, step(argument["shape"]), head) if _is_tensor(argument) else argument
        for name, argument in legal["arguments"].items()
    }
    if arguments == legal["arguments"]:
        return None
    try:
        facts = facts_of(attempt.contract, arguments)
    except InvalidSpec:
        return None
    if (
        answer(attempt.contract, facts, product) != 0
        or expectation(attempt.contract, facts, product) != legal["expect"]
    ):
        return None
    return replace(attempt, groups=({**legal, "arguments": arguments},), elements=elements_of(arguments))


def _cut(tensor: dict[str, Any], shape: list[int], head: bool) -> dict[str, Any]:
    """The tensor in another shape, its listed values cut to the number that it needs: the first or the last."""
    listed, count = tensor.get("values", {}).get("list"), prod(shape)
    if listed is None or count > len(listed):
        return {**tensor, "shape": shape}
    return {**tensor, "shape": shape, "values": {"list": listed[:count] if head else listed[len(listed) - count :]}}


def _is_tensor(argument: Any) -> bool:
    return isinstance(argument, dict) and "shape" in argument
