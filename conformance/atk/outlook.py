"""What would become of the cases of an ATK file if they were run; in about the time that parsing the file takes.

Cases of one form (API, executor, names, kinds, types and kinds of values of inputs) are looked at once: whether they
bind does not depend on shapes. What is odd (an id, a value, a shape) is looked at alone. Whether a document admits each
shape is found out when the cases are run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import prod
from operator import itemgetter
from pathlib import Path
from typing import Any

from conformance.atk.read import api_of, parse_case
from conformance.atk.rewrites import rules_for
from conformance.errors import InvalidSpec
from conformance.foreign.bind import Unbound, bind
from conformance.foreign.inputs import TENSORS, dtype_named
from conformance.foreign.lists import read_list
from conformance.foreign.outlook import (
    NEEDS_SCRIPT,
    NO_CONTRACT,
    RUNNABLE,
    TOO_LARGE,
    UNFIT,
    UNREADABLE,
    Outlook,
    beyond_bytes,
    beyond_elements,
)
from conformance.load import load_contracts
from conformance.select import Limits

_WHAT = itemgetter("name", "type", "dtype", "range_values", "shape")
_SEEDS = range(1 << 32)
_UNLIMITED = 1 << 64


def atk_outlooks(path: Path, limits: Limits) -> Counter[Outlook]:
    """What would become of the cases of a file; raises InvalidData where it is no list of cases."""
    first: dict[Any, Any] = {}
    counts: dict[Any, int] = {}
    found: Counter[Outlook] = Counter()
    most = limits.max_elements if limits.max_elements is not None else _UNLIMITED
    for written in read_list(path):
        try:
            form = _form(written, most)
            if limits.max_bytes is not None:
                form = (*form, _bytes(written) > limits.max_bytes)
            counts[form] = counts.get(form, 0) + 1
        except (TypeError, KeyError, AttributeError):  # of an odd form, or none that can be read
            found[_look(written, path)] += 1
            continue
        if counts[form] == 1:
            first[form] = written
    for form, times in counts.items():
        found[_within(_look(first[form], path), form, limits)] += times
    return found


def _form(written: Mapping[str, Any], most: int) -> tuple[Any, ...]:
    """What decides whether a case binds, and whether some tensor is too large; raises KeyError and the like."""
    api = written.get("aclnn_name")
    if type(written["id"]) is not int or written["id"] not in _SEEDS:
        raise KeyError
    if api and f"aclnn{api.removeprefix('aclnn')}" not in load_contracts():
        return (api,)
    parts, large, odd = [], False, written.get("expected_error_msg")
    for item in written["inputs"]:
        if type(item) is list:
            parts.append(tuple(_sorted(one) for one in item))
            odd = odd or any(one.get("outlier_values") for one in item)
            large = large or any(one["shape"] and _size(one["shape"]) > most for one in item)
        else:
            odd = odd or item.get("outlier_values")
            parts.append(_sorted(item))
            shape = item["shape"]
            if shape and _size(shape) > most:
                large = True
    if odd:
        raise KeyError
    return api, (written.get("api_type"), written.get("aclnn_api_type")), tuple(parts), large


def _sorted(item: Mapping[str, Any]) -> tuple[Any, ...]:
    """What decides whether an input can be read and bound, shapes aside; raises KeyError for an odd value."""
    name, kind, dtype, values, _ = _WHAT(item)
    return name, kind, dtype, tuple(map(_sort, values)) if type(values) is list else _sort(values)


def _sort(value: Any) -> Any:
    """A text as it is, of a number what type it is and whether it is whole; raises KeyError for anything else."""
    if type(value) is str:
        return value
    if type(value) is float:
        return value.is_integer()
    if type(value) in (int, bool):
        return type(value)
    raise KeyError


def _size(shape: list[int]) -> int:
    if min(shape) < 0:
        raise KeyError
    return prod(shape)


def _within(named: Outlook, form: tuple[Any, ...], limits: Limits) -> Outlook:
    """What becomes of a case that would run if it is not too large."""
    if named.outcome != RUNNABLE:
        return named
    if form[3]:
        return Outlook(named.api, TOO_LARGE, beyond_elements(limits))
    if form[4:] == (True,):
        return Outlook(named.api, TOO_LARGE, beyond_bytes(limits))
    return named


def _bytes(written: Mapping[str, Any]) -> int:
    items = [one for item in written["inputs"] for one in (item if isinstance(item, list) else [item])]
    tensors = [one for one in items if one["type"] in TENSORS]
    return sum(prod(one["shape"]) * dtype_named(one["dtype"]).itemsize for one in tensors)


def _look(written: Any, path: Path) -> Outlook:
    api = api_of(written, path) if isinstance(written, dict) else ""
    try:
        case = parse_case(written, path)
    except InvalidSpec as error:
        return Outlook(api or "?", UNREADABLE, str(error))
    contract = load_contracts().get(case.api)
    if contract is None:
        return Outlook(api, NO_CONTRACT, "this suite has no contract of the API")
    if case.beyond:
        return Outlook(api, UNFIT, case.beyond)
    try:
        bind(case.inputs, contract)
        _, needs = rules_for(contract, path, case.executors)
    except Unbound as error:
        return Outlook(api, UNFIT, str(error))
    return Outlook(api, NEEDS_SCRIPT, needs) if needs else Outlook(api, RUNNABLE)
