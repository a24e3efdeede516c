"""A range of values in every spelling of other suites → one span: what the elements of an input are drawn from."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from conformance.errors import InvalidSpec

Value = int | float | bool | str
_WORDS = {"inf": float("inf"), "+inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
_OMITTED = frozenset({"default", "null"})
_INTERVAL = re.compile(r"\s*([\[(])\s*([^,\[\]()]+),([^,\[\]()]+)([\])])\s*")
_DEFAULT_MEAN, _DEFAULT_DEVIATION = (-100.0, 100.0), (1.0, 25.0)
_WHOLE_CAP = 1 << 64
_ADVICE = "write a number, [low, high], or a dictionary with name, mean and std"


@dataclass(frozen=True, slots=True)
class Constant:
    """One value in every element: a number, or a text of an attribute."""

    value: Value


@dataclass(frozen=True, slots=True)
class Uniform:
    """Numbers between two bounds; an open end is no value itself."""

    low: int | float
    high: int | float
    open_low: bool = False
    open_high: bool = False


@dataclass(frozen=True, slots=True)
class Infinities:
    """Minus or plus infinity in each element."""


@dataclass(frozen=True, slots=True)
class Normal:
    """Normal numbers whose mean and deviation are themselves drawn, once a tensor."""

    mean: tuple[float, float] = _DEFAULT_MEAN
    deviation: tuple[float, float] = _DEFAULT_DEVIATION


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Literal:
    """A list that is the value itself, written as a text."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Shaped:
    """Numbers between two bounds that follow a distribution that ``distributions`` knows."""

    distribution: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Stored:
    """Elements as bytes in a file, dense and in the order of memory."""

    path: Path


@dataclass(frozen=True, slots=True)
class Omitted:
    """An argument that is not given: a null pointer, or the default of an optional one."""


Span = Constant | Uniform | Infinities | Normal | Choice | Literal | Shaped | Stored | Omitted


def parse_span(written: Any) -> Span:
    """Span of a range as JSON has it; raises InvalidSpec."""
    if isinstance(written, str):
        return _of_text(written)
    if isinstance(written, (bool, int, float)):
        return Constant(_value(written))
    if isinstance(written, list):
        return _of_list([_value(item) for item in written])
    if isinstance(written, dict):
        return _of_distribution(written)
    raise InvalidSpec(f"{_shown(written)} says nothing of the values", _ADVICE)


def _of_text(written: str) -> Span:
    word = written.strip()
    if word.lower() in _OMITTED:
        return Omitted()
    found = _INTERVAL.fullmatch(word)
    if found is not None and all(_is_number(end) for end in found.group(2, 3)):
        low, high = (_value(end) for end in found.group(2, 3))
        span = _between(low, high)
        if isinstance(span, Uniform):
            return Uniform(span.low, span.high, found[1] == "(", found[4] == ")")
        return span
    if word.startswith("[") and word.endswith("]"):
        return Literal(_listed(word))
    return Constant(_value(written))


def _listed(word: str) -> tuple[Value, ...]:
    try:
        items = ast.literal_eval(word)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        raise InvalidSpec(f"{_shown(word)} is no list of values", _ADVICE) from None
    return tuple(_value(item) for item in items) if isinstance(items, list) else ()


def _of_list(values: list[Value]) -> Span:
    if not values:
        raise InvalidSpec("the list of values is empty", _ADVICE)
    if len(values) == 1:
        return Omitted() if values[0] in _OMITTED else Constant(values[0])
    if len(values) == 2 and not any(isinstance(value, str) for value in values):
        return _between(*values)
    return Choice(tuple(values))


def _between(low: Any, high: Any) -> Span:
    if {low, high} == {float("-inf"), float("inf")}:
        return Infinities()
    if low != low or high != high:
        return Choice((low, high))
    return Uniform(*sorted((low, high)))


def _of_distribution(written: Mapping[str, Any]) -> Normal:
    if written.get("name") not in ("nd", "default"):
        raise InvalidSpec(f"the distribution {_shown(written.get('name'))} is unknown", "nd is known")
    return Normal(_pair(written.get("mean"), _DEFAULT_MEAN), _pair(written.get("std"), _DEFAULT_DEVIATION))


def _pair(written: Any, default: tuple[float, float]) -> tuple[float, float]:
    if written is None:
        return default
    ends = [_value(end) for end in (written if isinstance(written, list) else [written])]
    numbers = [float(end) for end in ends if not isinstance(end, str) and isfinite(end)]
    if len(numbers) != len(ends) or len(ends) not in (1, 2):
        raise InvalidSpec(f"{_shown(written)} is no mean or deviation", "write two finite numbers")
    return min(numbers), max(numbers)


def _value(written: Any) -> Value:
    """A number, of a word too, or a text that is none; raises InvalidSpec for anything else."""
    if isinstance(written, str):
        return _number_of(written) if _is_number(written) else written
    if isinstance(written, int) and abs(written) >= _WHOLE_CAP:
        raise InvalidSpec(f"{_shown(written)} is beyond every integer type", "write a number of at most 64 bits")
    if isinstance(written, (bool, int, float)):
        return written
    raise InvalidSpec(f"{_shown(written)} is no value", _ADVICE)


def _is_number(written: str) -> bool:
    try:
        _number_of(written)
    except ValueError:
        return False
    return True


def _number_of(written: str) -> int | float:
    word = written.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    try:
        whole = int(word)
    except ValueError:
        return float(word)
    return whole if abs(whole) < _WHOLE_CAP else float(whole)


def _shown(written: Any) -> str:
    text = repr(written)
    return text if len(text) <= 40 else f"{text[:37]}..."
