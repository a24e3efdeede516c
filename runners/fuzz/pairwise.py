"""Groups of cases proposed from a contract: every pair of their factors stands in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import covertable

from conformance.contract import Contract
from conformance.dtype import DTYPES
from conformance.product import Product
from conformance.signature import Role
from conformance.sizes import switch_points
from conformance.tensor import Shape
from runners.fuzz.bodies import (
    Body,
    Outline,
    alike_on,
    answer,
    expectation,
    facts_of,
    legal_arguments,
    success_body,
    sums,
)
from runners.fuzz.choices import SeededChoices
from runners.fuzz.element_types import common_types
from runners.fuzz.layouts import layouts
from runners.fuzz.shapes import broadcast_parameters, ranks

_TRIES = 32
_RANKS = (1, 2, 3, 4, 8, 0)
_LAYOUTS = ("contiguous", "offset", "step", "chunk", "transposed", "permuted", "expanded")
_RANK_NEEDED = {"step": 1, "chunk": 1, "transposed": 2, "permuted": 2, "expanded": 1}
_VALUES: Mapping[str, Any] = {
    "ordinary": {"uniform": [-2, 2]},
    "steps": {"cycle": [1, -1, 0.5, -0.25, 3]},
    "specials": {"specials": "every"},
    "zeros": {"cycle": [0, "-0.0", 1, -1]},
}
_WILD = frozenset({"specials"})
"""Values whose sums depend on the order of summing: left out where an output is a reduction."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Groups, how many combinations there were, and those that no legal call was found for, in words."""

    groups: tuple[Body, ...]
    combinations: int
    left_out: tuple[str, ...]


def propose(contract: Contract, product: Product, cap: int, tells: Callable[[Body], bool]) -> Proposal:
    """Pairwise proposal for one API on a product, tensors of at most ``cap`` elements.

    ``tells`` says whether agreement on a group's calls would prove anything: whether its golden is not all zero.
    """
    rows = covertable.make(_factors(contract, product, cap), constraints=_CONSTRAINTS)
    groups: list[Body] = []
    left_out = []
    for row in sorted(rows, key=str):
        group = _group(contract, product, row, tells)
        if group is None:
            left_out.append(_words(row))
        else:
            groups.append(group)
    return Proposal(tuple(groups), len(rows), tuple(left_out))


def _factors(contract: Contract, product: Product, cap: int) -> dict[str, list[Any]]:
    types = [dtype for dtype in common_types(contract, product) if dtype.is_float] or common_types(contract, product)
    narrowest = min(types, key=lambda dtype: dtype.bits)
    sizes = {size for size in (1, 105) if size <= cap}
    for size in switch_points(contract.api, product, narrowest):
        sizes |= {near for near in (size, size + 1) if near <= cap}
    tame = sums(contract)
    return {
        "dtype": [dtype.name for dtype in types],
        "rank": [rank for rank in _RANKS if rank in ranks(contract, product)],
        "layout": list(_LAYOUTS),
        "breadth": ["alike", "narrow"] if broadcast_parameters(contract, product) else ["alike"],
        "values": [name for name in _VALUES if not (tame and name in _WILD)],
        "size": sorted(sizes),
    }


def _fits(row: Mapping[str, Any]) -> bool:
    return bool(row["rank"] >= _RANK_NEEDED.get(row["layout"], 0))


def _unless(factor: str, condition: Callable[[Any], bool], other: str, allowed: Any) -> dict[str, Any]:
    """Where ``condition`` holds of one factor, the other has only its ``allowed`` value."""
    return {
        "operator": "fn",
        "requires": [factor, other],
        "evaluate": lambda row: not condition(row[factor]) or row[other] == allowed,
    }


_CONSTRAINTS = [
    {"operator": "fn", "requires": ["rank", "layout"], "evaluate": _fits},
    {
        "operator": "fn",
        "requires": ["size", "layout"],
        "evaluate": lambda row: row["size"] > 1 or row["layout"] != "expanded",
    },
    _unless("rank", lambda rank: rank == 0, "size", 1),
    _unless("rank", lambda rank: rank == 0, "breadth", "alike"),
    _unless("size", lambda size: size == 1, "breadth", "alike"),
]
"""What no tensor can have."""


def _group(contract: Contract, product: Product, row: Mapping[str, Any], tells: Callable[[Body], bool]) -> Body | None:
    """The group of one combination: the first of a few seeded calls that is legal, as narrow as asked, and tells."""
    root = _shape_of(row["size"], row["rank"])
    outline = Outline(root, DTYPES[row["dtype"]], row["breadth"] == "narrow", strided=False)
    for seed in range(_TRIES):
        made = legal_arguments(contract, product, outline, SeededChoices(f"{contract.api}{_words(row)}{seed}"))
        arguments = _dressed(contract, made, row)
        facts = facts_of(contract, arguments)
        legal = answer(contract, facts, product) == 0 and expectation(contract, facts, product) == "success"
        narrowed = any(tuple(arguments[name]["shape"]) != root for name in broadcast_parameters(contract, product))
        if legal and narrowed == (row["breadth"] == "narrow") and tells(body := _body(contract, row, arguments)):
            return body
    return None


def _shape_of(size: int, rank: int) -> Shape:
    """Exactly ``size`` elements in ``rank`` axes: small divisors in front, the rest in the last axis."""
    shape: list[int] = []
    for _ in range(rank - 1):
        divisor = next((d for d in (2, 3, 5, 7) if size % d == 0 and size > d), 1)
        shape.append(divisor)
        size //= divisor
    return (*shape, size) if rank else ()


def _dressed(contract: Contract, arguments: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with the row's layout, where it fits, and its values."""
    dressed = dict(arguments)
    for parameter in contract.tensors:
        tensor = {key: value for key, value in arguments[parameter.name].items() if key not in ("values", "layout")}
        if parameter.role is not Role.OUTPUT:
            tensor["values"] = _VALUES[row["values"]]
        word = layouts(tuple(tensor["shape"]), written=parameter.is_written).get(row["layout"], "contiguous")
        dressed[parameter.name] = tensor if word == "contiguous" else {**tensor, "layout": word}
    return dressed


def _body(contract: Contract, row: Mapping[str, Any], arguments: Mapping[str, Any]) -> Body:
    name = f"{DTYPES[row['dtype']].word}_{_words(row, '_')}"
    form = f"{row['layout']}, {row['breadth']}, {row['values']} values"
    about = f"{row['dtype']} in {row['rank']} dimensions, {form}, {row['size']} elements"
    products = alike_on(contract, facts_of(contract, arguments), "success")
    body = success_body(name, about, arguments, "success", products)
    return body if len(products) < len(contract.products) else {k: v for k, v in body.items() if k != "products"}


def _words(row: Mapping[str, Any], between: str = " ") -> str:
    words = (f"rank{row['rank']}", row["layout"], row["breadth"], row["values"], str(row["size"]))
    return between.join(words)
