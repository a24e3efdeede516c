"""Scalars and plain attributes of a legal call, as case files write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conformance.attribute_rules import AttributeIn, AttributeNotIn, AttributeRange, AxisRange, Choice
from conformance.conditional_rules import Given
from conformance.contract import Contract
from conformance.dtype import DType
from conformance.product import Product
from conformance.promotion import castable
from conformance.promotion_rules import ScalarCastable
from conformance.signature import Parameter, ParameterKind
from conformance.tensor import Shape
from runners.fuzz.choices import Choices
from runners.fuzz.classes import rules_of
from runners.fuzz.element_types import scalar_types
from runners.fuzz.values import written

REALS = (0.5, 0.0, 1.0, 2.0, 0.1, 3.0, 1e-3, 100.0)
INTEGERS = (1, 0, -1, 2, 3, 8)
_PLAIN: Mapping[ParameterKind, Sequence[Any]] = {
    ParameterKind.INT64: INTEGERS,
    ParameterKind.INT32: INTEGERS,
    ParameterKind.DOUBLE: REALS,
    ParameterKind.FLOAT: REALS,
    ParameterKind.BOOL: (False, True),
    ParameterKind.STRING: ("none",),
    ParameterKind.INT_ARRAY: ([0], [1], [0, 1]),
    ParameterKind.FLOAT_ARRAY: ([0.5], [1.0, 2.0]),
    ParameterKind.BOOL_ARRAY: ([True], [False, True]),
}


class CannotMake(ValueError):
    """A parameter that no call can be made for."""


def scalar(
    contract: Contract, product: Product, parameter: Parameter, types: Mapping[str, DType], choices: Choices
) -> Any:
    """An ``aclScalar``: of a type that can be cast to that of the tensors, and of a value that is admitted in it."""
    name = parameter.name
    tensors = [t for rule in rules_of(contract, product, ScalarCastable) if rule.scalar == name for t in rule.tensors]
    listed = scalar_types(contract, product, name)
    fitting = [dtype for dtype in listed if all(castable(dtype, types[tensor]) for tensor in tensors)] or listed
    dtype = choices.pick(fitting)
    refused = _refused(contract, product, name)
    numbers = [written(dtype, number) for number in _reals(contract, product, name)]
    return {"scalar": choices.pick([n for n in numbers if n not in refused] or numbers), "dtype": dtype.name}


def attribute(
    contract: Contract, product: Product, parameter: Parameter, shapes: Mapping[str, Shape], choices: Choices
) -> Any:
    """Value of a parameter that is neither tensor nor scalar, within the ranges that the contract names."""
    listed = _listed(contract, product, parameter.name)
    if listed:
        return choices.pick(listed)
    for axis in rules_of(contract, product, AxisRange):
        if axis.attribute == parameter.name:
            rank = max(len(shapes[axis.tensor]), 1)
            return choices.pick([*range(-1, -rank - 1, -1), *range(rank)])
    if parameter.kind in (ParameterKind.DOUBLE, ParameterKind.FLOAT):
        return choices.pick(_reals(contract, product, parameter.name))
    if parameter.kind not in _PLAIN:
        raise CannotMake(f"{parameter.name} is a {parameter.kind.value}, which cannot be made yet")
    return choices.pick(_PLAIN[parameter.kind])


def _listed(contract: Contract, product: Product, name: str) -> list[Choice]:
    """Values that a rule lists for an attribute; those of all rules that only hold now and then."""
    always = [rule for rule in rules_of(contract, product, AttributeIn) if rule.parameter == name]
    if always:
        return list(always[0].values)
    at_times = [given.rule for given in rules_of(contract, product, Given)]
    return [
        value for rule in at_times if isinstance(rule, AttributeIn) and rule.parameter == name for value in rule.values
    ]


def _reals(contract: Contract, product: Product, name: str) -> list[float]:
    """Ordinary numbers and the limits that a range names, as far as the range allows."""
    ranges = [rule for rule in rules_of(contract, product, AttributeRange) if rule.parameter == name]
    limits = [limit for rule in ranges for limit in (rule.min, rule.max) if limit is not None]
    listed = [value for value in _listed(contract, product, name) if isinstance(value, int | float)]
    refused = _refused(contract, product, name)
    numbers = [number for number in listed or (*REALS, *limits) if number not in refused]
    return [number for number in numbers if all(_within(rule, number) for rule in ranges)] or [0.5]


def _refused(contract: Contract, product: Product, name: str) -> set[Choice]:
    """Values that a rule excludes."""
    lists = [rule.values for rule in rules_of(contract, product, AttributeNotIn) if rule.parameter == name]
    return {value for values in lists for value in values}


def _within(rule: AttributeRange, number: float) -> bool:
    low = rule.min is None or number > rule.min or (number == rule.min and not rule.exclusive_min)
    return low and (rule.max is None or number < rule.max or (number == rule.max and not rule.exclusive_max))
