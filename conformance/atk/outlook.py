"""What would become of the cases of an ATK file if they were run; in about the time that parsing the file takes.

Cases of one form (API, executor, names, kinds, types and kinds of values of inputs) are looked at once: whether they
bind does not depend on shapes. What is odd (an id, a value, a shape) is looked at alone; of an API without a
contract no more than its name. Whether a document admits each shape is found out when the cases are run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    NAMELESS,
    NEEDS_SCRIPT,
    RUNNABLE,
    TOO_LARGE,
    UNFIT,
    UNREADABLE,
    Outlook,
    Outlooks,
    beyond_bytes,
    beyond_elements,
    without_contract,
)
from conformance.load import load_contracts
from conformance.select import Limits

_WHAT = itemgetter("name", "type", "dtype", "range_values", "shape")
_SEEDS = range(1 << 32)
_UNLIMITED = 1 << 64
_REPEATS = "an earlier case of the file has its id"


def atk_outlooks(path: Path, limits: Limits) -> Outlooks:
    """What would become of the cases of a file; raises InvalidData where it is no list of cases."""
    alike: dict[Any, list[int]] = {}
    found: Outlooks = {}
    most = limits.max_elements if limits.max_elements is not None else _UNLIMITED
    cases = read_list(path)
    for place, written in enumerate(cases):
        try:
            form = _form(written, path, most)
            if limits.max_bytes is not None:
                form = (*form, _bytes(written) > limits.max_bytes)
            alike.setdefault(form, []).append(place)
        except (TypeError, KeyError, AttributeError):  # of an odd form, or none that can be read
            found.setdefault(_look(written, path), []).append(place)
    for form, places in alike.items():
        known = form[0] in load_contracts()
        outlook = _within(_look(cases[places[0]], path), form, limits) if known else without_contract(form[0])
        found.setdefault(outlook, []).extend(places)
    return _with_repeats(found, cases)


def _with_repeats(found: Outlooks, cases: Sequence[Any]) -> Outlooks:
    """The same, where of the cases with one id all but the first cannot be read."""
    readable = [outlook for outlook in found if outlook.outcome != UNREADABLE]
    ids = [cases[place]["id"] for outlook in readable for place in found[outlook]]
    if len(set(ids)) == len(ids):
        return found
    first: dict[int, int] = {}
    for place in sorted(place for outlook in readable for place in found[outlook]):
        first.setdefault(cases[place]["id"], place)
    told: Outlooks = {outlook: places for outlook, places in found.items() if outlook.outcome == UNREADABLE}
    for outlook in readable:
        for place in found[outlook]:
            repeats = first[cases[place]["id"]] != place
            told.setdefault(Outlook(outlook.api, UNREADABLE, _REPEATS) if repeats else outlook, []).append(place)
    return told


def _form(written: Mapping[str, Any], path: Path, most: int) -> tuple[Any, ...]:
    """What decides whether a case binds, and whether some tensor is too large; raises KeyError and the like."""
    api = api_of(written, path)
    if not api or type(written["id"]) is not int or written["id"] not in _SEEDS:
        raise KeyError
    if api not in load_contracts():
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
        return Outlook(api or NAMELESS, UNREADABLE, str(error))
    contract = load_contracts().get(case.api)
    if contract is None:
        return without_contract(case.api)
    if case.beyond:
        return Outlook(api, UNFIT, case.beyond)
    try:
        bind(case.inputs, contract)
        _, needs = rules_for(contract, path, case.executors)
    except Unbound as error:
        return Outlook(api, UNFIT, str(error))
    return Outlook(api, NEEDS_SCRIPT, needs) if needs else Outlook(api, RUNNABLE)
