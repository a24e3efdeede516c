"""One description of a tensor that lists types, shapes, formats, … → the tensors it stands for, one a combination."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from conformance.errors import InvalidSpec

FORMAT, TYPE, SHAPE, RANGE, DISTRIBUTION = "format", "type", "shape", "value_range", "data_distribute"
FUZZ = "fuzz"
"""Stands for what a script of the user makes."""
_CROSSED = (FORMAT, SHAPE, TYPE, RANGE, DISTRIBUTION)
_BESIDE_SHAPE = ("typical_shape", "ori_shape", "ori_format")
"""Keys that go with the shapes one by one."""
_LISTS_OF_NUMBERS = frozenset({SHAPE, RANGE, "typical_shape", "ori_shape"})
_MOST = 10_000
Each = Mapping[str, Any]
"""One value for each key; None where the description has none."""


def combinations(description: Mapping[str, Any], groups: Any, pointer: str) -> list[Each]:
    """Every combination, in the order of the keys; raises InvalidSpec.

    ``groups`` are keys whose lists go in step; keys in no group are crossed with all others.
    """
    lists = {key: _listed(key, description.get(key)) for key in _CROSSED}
    in_step = _groups(groups, pointer)
    sizes = [max(len(lists[key]) for key in group) for group in in_step]
    if prod(sizes) > _MOST:
        raise InvalidSpec(f"{prod(sizes)} combinations of one input", f"at most {_MOST} can be read", pointer)
    beside = {key: _listed(key, description.get(key)) for key in _BESIDE_SHAPE}
    return [
        {key: _at(lists[key], number, f"{pointer}/{key}") for key, number in chosen.items()}
        | {key: _at(values, chosen[SHAPE], f"{pointer}/{key}") for key, values in beside.items()}
        for chosen in _numbers(in_step, sizes)
    ]


def _numbers(groups: Sequence[Sequence[str]], sizes: Sequence[int]) -> Iterator[dict[str, int]]:
    for numbers in product(*map(range, sizes)):
        yield {key: number for group, number in zip(groups, numbers, strict=True) for key in group}


def _groups(written: Any, pointer: str) -> list[list[str]]:
    if written is None:
        return [[key] for key in _CROSSED]
    lists = written if isinstance(written, list) else [None]
    flat = [key for group in lists if isinstance(group, list) for key in group]
    if len(lists) == 0 or not all(isinstance(g, list) and g for g in lists) or not _is_partition(flat):
        raise InvalidSpec(f"{written!r} is no cross_list"[:80], f"write lists of {', '.join(_CROSSED)}", pointer)
    return [*lists, *([key] for key in _CROSSED if key not in flat)]


def _is_partition(keys: list[Any]) -> bool:
    return all(isinstance(key, str) and key in _CROSSED for key in keys) and len(set(keys)) == len(keys)


def _listed(key: str, written: Any) -> list[Any]:
    """The values of a key: one that stands alone is a list of one, none are [None]."""
    if written is None:
        return [None]
    if not isinstance(written, list):
        return [written]
    if key in _LISTS_OF_NUMBERS and not any(isinstance(item, list) or item == FUZZ for item in written):
        return [written]
    return written or [None]


def _at(values: list[Any], number: int, pointer: str) -> Any:
    if len(values) == 1:
        return values[0]
    if number >= len(values):
        raise InvalidSpec(f"{len(values)} values beside more", "write as many, or one for all", pointer)
    return values[number]


def in_step(lists: Sequence[Sequence[Any]], pointer: str) -> list[tuple[Any, ...]]:
    """What each case takes of several descriptions: all of them have as many combinations, or one for all."""
    count = max((len(one) for one in lists), default=1)
    odd = [len(one) for one in lists if len(one) not in (1, count)]
    if odd:
        what = f"{odd[0]} combinations of one tensor, {count} of another"
        raise InvalidSpec(what, "give every tensor as many", pointer)
    return [tuple(one[number % len(one)] for one in lists) for number in range(count)]
