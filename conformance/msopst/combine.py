"""One description of a tensor that lists types, shapes, formats, … → the tensors it stands for, one a combination."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from conformance.errors import InvalidSpec

FORMAT, TYPE, SHAPE, RANGE, DISTRIBUTION = "format", "type", "shape", "value_range", "data_distribute"
_CROSSED = (FORMAT, SHAPE, TYPE, RANGE, DISTRIBUTION)
_BESIDE_SHAPE = ("typical_shape", "ori_shape", "ori_format")
"""Keys that go with the shapes one by one."""
_LISTS_OF_NUMBERS = frozenset({SHAPE, RANGE, "typical_shape", "ori_shape"})
_MOST = 10_000
Each = Mapping[str, Any]
"""One value for each key; None where the description has none."""


def combinations(description: Mapping[str, Any], leader: Mapping[str, Any], groups: Any, pointer: str) -> list[Each]:
    """What a description has at the places of each combination of the leading one, in the order of the keys.

    An input leads itself, the first of them the outputs, which have its type and shape. ``groups`` are keys whose lists
    go in step; keys in no group are crossed with all others. Raises InvalidSpec.
    """
    for key in (FORMAT, TYPE, SHAPE):
        ours, theirs = (len(_listed(key, one.get(key))) for one in (description, leader))
        if ours not in (1, theirs):
            what = f"{ours} values of {key}, the first input has {theirs}"
            raise InvalidSpec(what, "write as many, or one for all", f"{pointer}/{key}")
    return [_chosen(description, places, pointer) for places in _places(leader, groups, pointer)]


def _places(description: Mapping[str, Any], groups: Any, pointer: str) -> Iterator[dict[str, int]]:
    """Of every combination the place of each key's value in its list."""
    in_step = _groups(groups, pointer)
    sizes = [max(len(_listed(key, description.get(key))) for key in group) for group in in_step]
    if prod(sizes) > _MOST:
        raise InvalidSpec(f"{prod(sizes)} combinations of one tensor", f"at most {_MOST} can be read", pointer)
    for numbers in product(*map(range, sizes)):
        yield {key: number for group, number in zip(in_step, numbers, strict=True) for key in group}


def _chosen(description: Mapping[str, Any], places: Mapping[str, int], pointer: str) -> Each:
    where = {**places, **dict.fromkeys(_BESIDE_SHAPE, places[SHAPE])}
    return {key: _at(_listed(key, description.get(key)), place, f"{pointer}/{key}") for key, place in where.items()}


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
    if key in _LISTS_OF_NUMBERS and not any(isinstance(item, list) for item in written):
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
