"""Layout words that fit a shape, as case files write them."""

from __future__ import annotations

from math import prod
from typing import Any

from conformance.contract import Contract
from conformance.signature import Parameter
from conformance.tensor import Shape
from runners.fuzz.choices import Choices
from runners.fuzz.openness import admits_layout


def layouts(shape: Shape, *, written: bool) -> dict[str, Any]:
    """Every kind of layout for a view of ``shape``, contiguous first; outputs (``written``) are never expanded."""
    words: dict[str, Any] = {"contiguous": "contiguous", "offset": {"offset": 3}}
    if prod(shape) and shape:
        words |= {"step": {"step": 2}, "chunk": {"chunk": {"of": shape[-1] + 3, "at": 2}}}
    if len(shape) > 1:
        words |= {"transposed": "transposed", "permuted": {"permuted": [*range(1, len(shape)), 0]}}
    wide = [axis for axis, extent in enumerate(shape) if extent > 1]
    if wide and not written:
        words["expanded"] = {"expanded": wide[:1]}
    return words


def layout(contract: Contract, parameter: Parameter, shape: Shape, choices: Choices) -> Any:
    """Contiguous about half of the time, otherwise any layout that fits and that the contract admits."""
    words = layouts(shape, written=parameter.is_written)
    admitted = [word for name, word in words.items() if admits_layout(contract, parameter.name, name)]
    return choices.pick(admitted) if choices.pick([False, True]) else admitted[0]
