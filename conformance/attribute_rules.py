"""Rules about the values of scalars and plain attributes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan, nan

from msgspec.structs import replace

from conformance.call import Attribute, AttributeValue, Scalar
from conformance.constraint import Facts, Violation, id_word, tensor_of
from conformance.product import Product

Choice = int | float | str | bool
"""One admissible value of an attribute."""


@dataclass(frozen=True, slots=True)
class AxisRange:
    """An attribute names an axis of a tensor of rank r: -r to r-1, rank 0 counted as rank 1."""

    attribute: str
    tensor: str

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the axis and the range."""
        tensor = tensor_of(facts, self.tensor)
        axes = [value for value in _values(facts, self.attribute) if isinstance(value, int)]
        if tensor is None:
            return None
        rank = max(len(tensor.shape), 1)
        outside = [axis for axis in axes if not -rank <= axis < rank]
        return f"{self.attribute} is {outside[0]}, not {-rank} to {rank - 1}" if outside else None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """One above and one below the range."""
        tensor = tensor_of(facts, self.tensor)
        if tensor is not None:
            rank = max(len(tensor.shape), 1)
            yield from _passing(facts, self.attribute, {"above": rank, "below": -rank - 1})


@dataclass(frozen=True, slots=True)
class AttributeRange:
    """A number, or every number of an array, lies between ``min`` and ``max``; ``nan``: NaN passes."""

    parameter: str
    min: float | None = None
    max: float | None = None
    exclusive_min: bool = False
    exclusive_max: bool = False
    nan: bool = True

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the value and the limit it passes."""
        return next((fault for value in _values(facts, self.parameter) if (fault := self._fault(value))), None)

    def _fault(self, value: Choice | complex) -> str | None:
        if not isinstance(value, int | float):
            return None
        if isnan(value):
            return None if self.nan else f"{self.parameter} is NaN"
        if self.min is not None and (value < self.min or (self.exclusive_min and value == self.min)):
            return f"{self.parameter} is {value}, not {'>' if self.exclusive_min else '>='} {self.min:g}"
        if self.max is not None and (value > self.max or (self.exclusive_max and value == self.max)):
            return f"{self.parameter} is {value}, not {'<' if self.exclusive_max else '<='} {self.max:g}"
        return None

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """The limit itself where it is excluded, otherwise one beyond it; NaN where it is refused."""
        values: dict[str, float] = {}
        if self.min is not None:
            values["below"] = self.min if self.exclusive_min else self.min - 1
        if self.max is not None:
            values["above"] = self.max if self.exclusive_max else self.max + 1
        if not self.nan:
            values["nan"] = nan
        yield from _passing(facts, self.parameter, values)


@dataclass(frozen=True, slots=True)
class AttributeIn:
    """An attribute has one of the listed values; with ``prefix`` a word need only begin with one."""

    parameter: str
    values: tuple[Choice, ...]
    prefix: bool = False

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the value and the admissible ones."""
        for value in _values(facts, self.parameter):
            if value not in self.values and not (self.prefix and self._begins(value)):
                return f"{self.parameter} is {value!r}, not one of {', '.join(map(repr, self.values))}"
        return None

    def _begins(self, value: Choice | complex) -> bool:
        return isinstance(value, str) and any(value.startswith(str(word)) for word in self.values)

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """One above and one below the listed numbers, or a word that is none of the listed ones."""
        numbers = [value for value in self.values if isinstance(value, int | float)]
        if numbers:
            yield from _passing(facts, self.parameter, {"above": max(numbers) + 1, "below": min(numbers) - 1})
        else:
            yield from _passing(facts, self.parameter, {"unlisted": "unlisted"})


@dataclass(frozen=True, slots=True)
class AttributeNotIn:
    """A number has none of the listed values, such as a divisor of 0."""

    parameter: str
    values: tuple[Choice, ...]

    def check(self, facts: Facts, product: Product) -> str | None:
        """Names the value."""
        refused = next((value for value in _values(facts, self.parameter) if value in self.values), None)
        return None if refused is None else f"{self.parameter} is {refused!r}"

    def violations(self, facts: Facts, product: Product) -> Iterator[Violation]:
        """Each listed number; -1 is ``minus_1``, 0.5 ``0_5``."""
        words = {_number_word(value): float(value) for value in self.values if isinstance(value, int | float)}
        yield from _passing(facts, self.parameter, words)


def _values(facts: Facts, name: str) -> tuple[Choice | complex, ...]:
    fact = facts.get(name)
    if isinstance(fact, Scalar):
        return (fact.value,)
    if isinstance(fact, Attribute):
        return fact.value if isinstance(fact.value, tuple) else (fact.value,)
    return ()


def _passing(
    facts: Facts, name: str, values: dict[str, int] | dict[str, float] | dict[str, str]
) -> Iterator[Violation]:
    """Another value in place of a scalar's or attribute's; in place of the first one of an array."""
    fact = facts.get(name)
    for word, value in values.items():
        if isinstance(fact, Scalar) and not isinstance(value, str):
            yield Violation(f"{id_word(name)}_{word}", {name: replace(fact, value=value)})
        elif isinstance(fact, Attribute):
            yield Violation(f"{id_word(name)}_{word}", {name: replace(fact, value=_placed(fact.value, value))})


def _placed(old: AttributeValue, value: Choice) -> AttributeValue:
    whole = isinstance(value, float) and value.is_integer() and _is_whole(old)
    number = int(value) if whole else value
    return (number, *old[1:]) if isinstance(old, tuple) else number


def _number_word(value: int | float) -> str:
    return f"{value:g}".replace("-", "minus_").replace(".", "_").replace("+", "")


def _is_whole(old: AttributeValue) -> bool:
    first = old[0] if isinstance(old, tuple) and old else old
    return isinstance(first, int)
