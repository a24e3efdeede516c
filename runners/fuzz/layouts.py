"""Layout words that fit a shape, as case files write them."""

from __future__ import annotations

from typing import Any

from conformance.tensor import Shape
from runners.fuzz.choices import Choices


def layouts(shape: Shape, *, written: bool) -> dict[str, Any]:
    """Every kind of layout for a view of ``shape``, contiguous first; outputs (``written``) are never expanded."""
    words: dict[str, Any] = {"contiguous": "contiguous", "offset": {"offset": 3}}
    if shape:
        words |= {"step": {"step": 2}, "chunk": {"chunk": {"of": shape[-1] + 3, "at": 2}}}
    if len(shape) > 1:
        words |= {"transposed": "transposed", "permuted": {"permuted": [*range(1, len(shape)), 0]}}
    wide = [axis for axis, extent in enumerate(shape) if extent > 1]
    if wide and not written:
        words["expanded"] = {"expanded": wide[:1]}
    return words


def layout(shape: Shape, choices: Choices, *, written: bool) -> Any:
    """Contiguous about half of the time, otherwise any layout that fits."""
    words = list(layouts(shape, written=written).values())
    return choices.pick(words) if choices.pick([False, True]) else words[0]
