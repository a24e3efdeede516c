"""CANN's implicit type conversion: what two element types promote to, and which casts are allowed.

The tables are data (``promotion.json``), restated from the CANN documents on type deduction and conversion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from conformance.data import PROMOTION_FILE, data_root
from conformance.dtype import DTYPES, DType
from conformance.json_text import read_json

_Pairs = Mapping[tuple[DType, DType], DType]


@dataclass(frozen=True, slots=True)
class PromotionTables:
    """Promotion of tensor with tensor and of (scalar, tensor), and every allowed cast as (source, target)."""

    tensor_tensor: _Pairs
    scalar_tensor: _Pairs
    casts: frozenset[tuple[DType, DType]]


def promote(one: DType, other: DType) -> DType | None:
    """Type that two tensors are computed in; None when they do not promote."""
    return promotion_tables().tensor_tensor.get((one, other))


def promote_scalar(scalar: DType, tensor: DType) -> DType | None:
    """Type that a scalar and a tensor are computed in; None when they do not promote."""
    return promotion_tables().scalar_tensor.get((scalar, tensor))


def castable(source: DType, target: DType) -> bool:
    """Whether a result of type ``source`` may be delivered as ``target``; a type always is as itself."""
    return source == target or (source, target) in promotion_tables().casts


@cache
def promotion_tables() -> PromotionTables:
    """Tables of the suite's own data; raises InvalidData when the file is not JSON."""
    _, document = read_json(data_root() / PROMOTION_FILE)
    return parse_promotion(document)


def parse_promotion(document: Mapping[str, Any]) -> PromotionTables:
    """Tables of a document that keeps its schema; raises ValueError for a row of wrong length."""
    classes = {name: [DTYPES[dtype] for dtype in names] for name, names in document["cast"]["classes"].items()}
    casts = frozenset(
        (source, target)
        for name, allowed in document["cast"]["allowed"].items()
        for source in classes[name]
        for other in allowed
        for target in classes[other]
    )
    return PromotionTables(_pairs(document["tensor_tensor"]), _pairs(document["scalar_tensor"]), casts)


def _pairs(table: Mapping[str, Any]) -> _Pairs:
    columns = [DTYPES[name] for name in table["columns"]]
    return {
        (DTYPES[row], column): DTYPES[result]
        for row, results in table["rows"].items()
        for column, result in zip(columns, results, strict=True)
        if result is not None
    }
