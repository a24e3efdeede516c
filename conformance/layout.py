"""Layout words of case files → strides, offset and storage shape (all in elements)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

from conformance.tensor import Shape, contiguous_strides


class InvalidLayout(ValueError):
    """A layout that does not fit its tensor's shape."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a view's elements lie in its storage."""

    strides: Shape
    offset: int
    storage_shape: Shape


def lay_out(shape: Shape, word: str | Mapping[str, Any]) -> Layout:
    """Layout of a view of ``shape``; raises InvalidLayout when the word does not fit the shape.

    Words: ``contiguous``; ``transposed`` (last two axes swapped in storage); ``{"permuted": axes}`` (storage order of
    the axes); ``{"step": k}`` (every k-th element of the last axis); ``{"chunk": {"of": m, "at": j}}`` (columns j… of
    rows of m elements); ``{"expanded": axes}`` (stride 0); ``{"offset": k}``; ``{"storage": shape}`` (view is the
    beginning of another, larger or reshaped storage); ``{"strides": …, "offset": …, "storage": …}``.
    """
    if word == "contiguous":
        return _contiguous(shape)
    if word == "transposed":
        if len(shape) < 2:
            raise InvalidLayout(f"transposed needs two axes, shape {list(shape)} has {len(shape)}")
        return _permuted(shape, [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2])
    if isinstance(word, str):
        raise InvalidLayout(f"unknown layout {word!r}; words are contiguous, transposed, or an object")
    if not isinstance(word, Mapping):
        raise InvalidLayout(f"{word!r} is no layout")
    _check_numbers(word)
    layout = _lay_out_object(shape, word)
    _check_extent(shape, layout)
    return layout


@lru_cache(4096)
def _contiguous(shape: Shape) -> Layout:
    return Layout(contiguous_strides(shape), 0, shape)


def _lay_out_object(shape: Shape, word: Mapping[str, Any]) -> Layout:
    keys = set(word)
    if keys == {"permuted"}:
        return _permuted(shape, word["permuted"])
    if keys == {"step"}:
        return _step(shape, word["step"])
    if keys == {"chunk"} and isinstance(word["chunk"], Mapping) and set(word["chunk"]) == {"of", "at"}:
        return _chunk(shape, **word["chunk"])
    if keys == {"expanded"}:
        return _expanded(shape, word["expanded"])
    if keys <= {"strides", "offset", "storage"}:
        return _explicit(shape, word)
    raise InvalidLayout(f"{', '.join(sorted(keys))} make no layout")


def _check_numbers(word: Mapping[str, Any]) -> None:
    """Lists of integers or integers; negative ones only as axes."""
    for key, value in word.items():
        numbers = value if isinstance(value, list) else list(value.values()) if isinstance(value, Mapping) else [value]
        whole = all(type(number) is int and (number >= 0 or key == "expanded") for number in numbers)
        if not whole or isinstance(value, list) is not (key in _LISTS) or (key == "step" and value < 1):
            raise InvalidLayout(f"{value!r} is no {key} of a layout")


_LISTS = frozenset({"permuted", "expanded", "strides", "storage"})


def _permuted(shape: Shape, order: list[int]) -> Layout:
    if sorted(order) != list(range(len(shape))):
        raise InvalidLayout(f"permuted {order} is no order of {len(shape)} axes")
    storage = tuple(shape[axis] for axis in order)
    along = contiguous_strides(storage)
    strides = [0] * len(shape)
    for position, axis in enumerate(order):
        strides[axis] = along[position]
    return Layout(tuple(strides), 0, storage)


def _step(shape: Shape, step: int) -> Layout:
    if not shape:
        raise InvalidLayout("step needs one axis, the shape is 0-dim")
    storage = (*shape[:-1], shape[-1] * step)
    return Layout((*contiguous_strides(storage)[:-1], step), 0, storage)


def _chunk(shape: Shape, of: int, at: int) -> Layout:
    if not shape or at + shape[-1] > of:
        raise InvalidLayout(f"a row of {of} elements has no columns {at} to {at + (shape or (1,))[-1]}")
    storage = (*shape[:-1], of)
    return Layout(contiguous_strides(storage), at, storage)


def _expanded(shape: Shape, axes: list[int]) -> Layout:
    wanted = {axis % len(shape) for axis in axes} if shape else set()
    if not wanted or any(not -len(shape) <= axis < len(shape) for axis in axes):
        raise InvalidLayout(f"expanded {axes} names axes that shape {list(shape)} lacks")
    storage = tuple(1 if axis in wanted else size for axis, size in enumerate(shape))
    along = contiguous_strides(storage)
    return Layout(tuple(0 if axis in wanted else along[axis] for axis in range(len(shape))), 0, storage)


def _explicit(shape: Shape, word: Mapping[str, Any]) -> Layout:
    strides = tuple(word.get("strides", contiguous_strides(shape)))
    if len(strides) != len(shape):
        raise InvalidLayout(f"{len(strides)} strides for {len(shape)} axes")
    offset = word.get("offset", 0)
    if "storage" in word:
        storage = tuple(word["storage"])
    else:
        storage = (offset + last_element(shape, strides) + 1,) if offset or "strides" in word else shape
    return Layout(strides, offset, storage)


def last_element(shape: Shape, strides: Shape) -> int:
    """Distance in elements from the first to the last element of a view; -1 when it has none."""
    if prod(shape) == 0:
        return -1
    return sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))


def _check_extent(shape: Shape, layout: Layout) -> None:
    need = layout.offset + last_element(shape, layout.strides) + 1
    have = prod(layout.storage_shape)
    if need > have:
        raise InvalidLayout(f"the view reaches element {need - 1}, storage {list(layout.storage_shape)} has {have}")
