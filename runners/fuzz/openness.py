"""What a contract leaves open, so that no call is made of it: it is read from the cells it says have no case."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.contract import Contract
from conformance.dtype import DTYPES, DType
from conformance.product import Product
from conformance.properties import Dense

_CELL_WORDS: Mapping[str, str] = {
    "step": "gaps",
    "chunk": "gaps",
    "transposed": "permuted",
}
"""Layouts that coverage calls by another word."""


def left_out(contract: Contract) -> str:
    """Why no call can be said to succeed: the reason for a required tensor that is left open; "" where none is."""
    reasons = (left_open(contract, parameter.name) for parameter in contract.tensors if not parameter.optional)
    return next(filter(None, reasons), "")


def left_open(contract: Contract, name: str) -> str:
    """Why the contract has no case of any rank, or of any special value, of a tensor; "" where it has some."""
    cells = (f"rank/{name}/*", f"special/{name}/*")
    return next((entry.reason for entry in contract.untested_cells if any(map(entry.covers, cells))), "")


def untested_types(contract: Contract, product: Product, name: str) -> list[DType]:
    """Types of a tensor that the contract says it has no case of, such as complex ones without a standard."""
    cells = {dtype: f"dtype/{name}/{dtype.name}/{product.name}" for dtype in DTYPES.values()}
    return [dtype for dtype, cell in cells.items() if any(entry.covers(cell) for entry in contract.untested_cells)]


def admits_layout(contract: Contract, name: str, word: str) -> bool:
    """Whether a tensor may have a layout: not where it must be dense, nor where the contract has no case of it.

    Dense is also what starts at an offset.
    """
    if word == "contiguous":
        return True
    dense = word != "offset" and any(
        isinstance(promise, Dense) and name in promise.parameters for promise in contract.properties
    )
    cell = f"layout/{name}/{_CELL_WORDS.get(word, word)}"
    return not dense and not any(entry.covers(cell) for entry in contract.untested_cells)
