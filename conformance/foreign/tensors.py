"""Tensors of files that state them by type, shape, format and range, one entry each or one for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.dtype import DTYPES
from conformance.errors import InvalidSpec
from conformance.foreign.bind import AS_SEEN, Unbound
from conformance.foreign.inputs import Input, dtype_named
from conformance.foreign.spans import Constant, Literal, Omitted, Span, Stored, Uniform
from conformance.layout import InvalidLayout, Layout, lay_out

DEFAULT_SPAN: Span = Uniform(-2.0, 2.0)
"""What fills a tensor of which the file says nothing."""
_LONGEST_AXIS, _MOST_AXES = 1 << 40, 64
_WHOLE = 1 << 63
_OPEN = -2
"""The smallest number in a shape: -1 is an open size, -2 an open rank."""


def shape_of(written: Any, pointer: str) -> tuple[int, ...]:
    """A shape, in which sizes may be open; raises InvalidSpec."""
    whole = isinstance(written, list) and all(type(n) is int and _OPEN <= n < _LONGEST_AXIS for n in written)
    if not whole or len(written) > _MOST_AXES:
        raise InvalidSpec(f"{written!r} is no shape"[:80], "a shape is a list of integers from 0", pointer)
    return tuple(written)


def tensor(
    name: str,
    word: Any,
    shape: tuple[int, ...],
    form: Any,
    span: Span,
    *,
    pointer: str,
    original: tuple[tuple[int, ...] | None, Any] = (None, ""),
    view: Layout | None = None,
) -> Input:
    """One tensor, as a caller of an API sees it.

    ``original`` are shape and format before a kernel's layout. Raises InvalidSpec for an unknown type, Unbound where
    the file gives a kernel's layout alone.
    """
    try:
        dtype = dtype_named(word)
    except (KeyError, AttributeError, TypeError):
        advice = f"types are {', '.join(DTYPES)}"
        raise InvalidSpec(f"unknown type {word!r}"[:80], advice, pointer) from None
    letters = form if isinstance(form, str) else ""
    if letters.upper() not in AS_SEEN:
        if original[0] is None:
            raise Unbound(f"a tensor has the format {letters} and the file gives no original shape")
        shape, letters = original[0], original[1] if isinstance(original[1], str) else ""
        view = None
    return Input(name, "tensor", word, dtype, shape, span, format=letters.upper(), view=view)


def left_out(name: str) -> Input:
    """A tensor that is not given."""
    return Input(name, "tensor", "", None, (), Omitted())


def layout_of(shape: tuple[int, ...], words: Mapping[str, Any], pointer: str) -> Layout | None:
    """Where a tensor with strides, an offset or a storage of its own lies; None where it has none."""
    given = {key: value for key, value in words.items() if value is not None}
    if not given or any(size < 0 for size in shape):
        return None
    try:
        return lay_out(shape, given)
    except InvalidLayout as error:
        raise InvalidSpec(str(error), "strides, offset and storage are counted in elements", pointer) from None


def attribute(name: str, value: Any, pointer: str) -> Input:
    """One attribute with its value: a number, a text, a list of those, or None for one that is left out."""
    if value is None:
        return Input(name, "attr", "", None, None, Omitted())
    if not all(map(_is_plain, value if isinstance(value, list) else [value])):
        what = f"{value!r} is no value of an attribute"[:80]
        raise InvalidSpec(what, "write a number of at most 64 bits, a text, or a list of those", pointer)
    if isinstance(value, list):
        return Input(name, "attr", "", None, None, Literal(tuple(value)))
    dtype = DTYPES[_TYPES[type(value)]] if type(value) in _TYPES else None
    return Input(name, "attr", "", dtype, None, Constant(value))


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, float, str)) or (isinstance(value, int) and -_WHOLE <= value < _WHOLE)


_TYPES = {bool: "bool", int: "int64", float: "float32"}
"""Type of a number as a scalar: files give values without types."""


def spread(written: Any, count: int, pointer: str) -> list[Any]:
    """One entry for each of ``count`` tensors, where the file has as many, one for all, or none."""
    entries = [] if written in (None, "") else written if isinstance(written, list) else [written]
    if len(entries) in (0, 1):
        return (entries or [None]) * count
    if len(entries) != count:
        advice = "write one entry for each tensor, or one for all"
        raise InvalidSpec(f"{len(entries)} entries for {count} tensors", advice, pointer)
    return entries


def stored(folder: Path, written: Any, item: Input, pointer: str) -> Stored:
    """Elements of a tensor in a file, by its name beside the case file; raises Unbound where it does not hold them."""
    if not isinstance(written, str) or "\0" in written:
        raise InvalidSpec(f"{written!r} is no name of a file"[:80], "write a path", pointer)
    if not written.strip():
        raise InvalidSpec(
            "the name of the file with an input's data is empty", "write a path, or leave it away", pointer
        )
    path = folder / written
    if not path.is_file():
        raise Unbound(f"the data of an input is in {written}, which is not there")
    if item.dtype is None or item.dtype.numpy is None:
        raise Unbound(f"{written} holds elements of {item.word}, which cannot be read from a file")
    count = 1
    for size in item.shape or ():
        count *= max(size, 0)
    if path.stat().st_size != count * item.dtype.itemsize:
        what = f"{item.dtype}{list(item.shape or ())} takes {count * item.dtype.itemsize}"
        raise Unbound(f"{written} holds {path.stat().st_size} bytes, {what}")
    return Stored(path)


def names_of(written: Any) -> Sequence[str]:
    """Words of a cell that holds one or a list of them."""
    entries = written if isinstance(written, list) else [written]
    return [str(entry) for entry in entries if entry not in (None, "")]
