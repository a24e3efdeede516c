"""The closed set of rule kinds, and how a rule's JSON becomes its dataclass.

A new kind is one class, one line in ``RULE_KINDS`` and one ``$defs`` entry in ``contract-1.schema.json``. The
JSON keys of a rule are its fields; the type of a field says how its value is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, cast, get_type_hints

from conformance.attribute_rules import AttributeIn, AttributeNotIn, AttributeRange, AxisRange, Choice
from conformance.axis_rules import Extent, Halved, Over, WithoutAxis
from conformance.broadcast_rules import BroadcastNumel, BroadcastResult, BroadcastsTo
from conformance.conditional_rules import Given
from conformance.constraint import EmptyExit, Quantifier, Rule
from conformance.dtype import DTYPES, DType
from conformance.dtype_rules import DTypeIn, DTypeLists, DTypeNotIn, DTypeNumber, SameDType, ScalarDTypeIn
from conformance.format_rules import FormatIn, SameFormat
from conformance.platform_rules import ProductIn
from conformance.pointer_rules import NotNull, Null
from conformance.promotion_rules import Castable, MixedPrecision, Promotes, PromotesTo, ScalarCastable
from conformance.shape_rules import ChannelWeight, Numel, NumelOrder, Rank, SameShape, WeightForm
from conformance.tensor import Format

RULE_KINDS: dict[str, Callable[..., Rule]] = {
    "not_null": NotNull,
    "null": Null,
    "product_in": ProductIn,
    "dtype_in": DTypeIn,
    "dtype_not_in": DTypeNotIn,
    "dtype_number": DTypeNumber,
    "same_dtype": SameDType,
    "scalar_dtype_in": ScalarDTypeIn,
    "promotes": Promotes,
    "promotes_to": PromotesTo,
    "castable": Castable,
    "scalar_castable": ScalarCastable,
    "mixed_precision": MixedPrecision,
    "rank": Rank,
    "numel": Numel,
    "numel_order": NumelOrder,
    "same_shape": SameShape,
    "broadcasts_to": BroadcastsTo,
    "broadcast_result": BroadcastResult,
    "broadcast_numel": BroadcastNumel,
    "channel_weight": ChannelWeight,
    "halved": Halved,
    "without_axis": WithoutAxis,
    "extent": Extent,
    "format_in": FormatIn,
    "same_format": SameFormat,
    "axis_range": AxisRange,
    "attribute_range": AttributeRange,
    "attribute_in": AttributeIn,
    "attribute_not_in": AttributeNotIn,
    "given": Given,
    "empty_exit": EmptyExit,
}
_WORDS: Mapping[Any, str] = {kind: word for word, kind in RULE_KINDS.items()}


def _formats(names: list[str]) -> tuple[Format, ...]:
    return tuple(Format[name] for name in names)


_ONE_PARAMETER = (str, str | None)
_MANY_PARAMETERS = tuple[str, ...]
_READERS: dict[Any, Callable[[Any], Any]] = {
    str: str,
    str | None: str,
    int: int,
    int | None: int,
    float | None: float,
    bool: bool,
    DType: DTYPES.__getitem__,
    DTypeLists: DTypeLists.read,
    DTypeLists | None: DTypeLists.read,
    WeightForm: WeightForm,
    Over: Over,
    Quantifier: Quantifier,
    frozenset[str]: frozenset,
    tuple[str, ...]: tuple,
    tuple[Choice, ...]: tuple,
    tuple[Format, ...]: _formats,
    Rule: lambda document: parse_rule(document),
}


def parse_rule(document: Mapping[str, Any]) -> Rule:
    """Rule of a document that keeps the contract schema; raises ValueError for an unknown kind."""
    kind = document["kind"]
    if kind not in RULE_KINDS:
        raise ValueError(f"unknown rule kind {kind!r}; kinds are {', '.join(RULE_KINDS)}")
    hints = _hints(RULE_KINDS[kind])
    values = {key: _READERS[hints[key]](value) for key, value in document.items() if key != "kind"}
    return RULE_KINDS[kind](**values)


def kind_of(rule: Rule) -> str:
    """Name that contracts use for the kind of ``rule``."""
    return _WORDS[type(rule)]


def parameters_of(rule: Rule) -> Iterator[str]:
    """Parameters that ``rule``, or a rule within it, names, in the order of its fields."""
    hints = _hints(type(rule))
    for field in fields(cast(Any, rule)):
        value = getattr(rule, field.name)
        if hints[field.name] in _ONE_PARAMETER and value is not None:
            yield value
        elif hints[field.name] == _MANY_PARAMETERS:
            yield from value
        elif hints[field.name] is Rule:
            yield from parameters_of(value)


@cache
def _hints(kind: Callable[..., Rule]) -> Mapping[str, Any]:
    return get_type_hints(kind)
