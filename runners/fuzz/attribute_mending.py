"""Numbers and words for scalars and attributes that break a rule: the first tried value that keeps it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from conformance.attribute_rules import AttributeIn, AttributeNotIn, AttributeRange, AxisRange, Choice
from conformance.call import Attribute, Scalar
from conformance.constraint import Fact, Facts
from conformance.contract import Contract
from conformance.product import Product
from conformance.signature import ParameterKind
from runners.fuzz.attributes import INTEGERS, REALS
from runners.fuzz.choices import Choices

AttributeRule = AttributeIn | AttributeNotIn | AttributeRange | AxisRange
ATTRIBUTE_RULES = (AttributeIn, AttributeNotIn, AttributeRange, AxisRange)
_WHOLE = (ParameterKind.INT32, ParameterKind.INT64)


def admitted(
    rule: AttributeRule, contract: Contract, product: Product, facts: Facts, choices: Choices
) -> dict[str, Fact]:
    """The rule's scalar or attribute with a value that the rule admits; nothing where none is known."""
    name = rule.attribute if isinstance(rule, AxisRange) else rule.parameter
    fact = facts.get(name)
    if not isinstance(fact, Scalar | Attribute):
        return {}
    kept = [
        changed
        for value in _candidates(rule, contract.parameter(name).kind)
        if rule.check({**facts, name: (changed := _with_value(fact, value))}, product) is None
    ]
    return {name: choices.pick(kept)} if kept else {}


def _candidates(rule: AttributeRule, kind: ParameterKind) -> Sequence[Choice]:
    """Values to try, simplest first: those that are listed, limits, ordinary numbers."""
    if isinstance(rule, AttributeIn):
        return rule.values
    if isinstance(rule, AxisRange):
        return (-1, 0)
    limits = (rule.min, rule.max) if isinstance(rule, AttributeRange) else ()
    stated = [limit for limit in limits if limit is not None]
    return (*INTEGERS, *map(int, stated)) if kind in _WHOLE else (*REALS, *stated)


def _with_value(fact: Scalar | Attribute, value: Choice) -> Scalar | Attribute:
    """The argument with another value, in every place where it is an array."""
    if isinstance(fact, Scalar):
        return fact if isinstance(value, str) else replace(fact, value=value)
    if isinstance(fact.value, tuple) and not isinstance(value, str):
        return replace(fact, value=(value,) * len(fact.value))
    return replace(fact, value=value)
