"""Rules about one axis, kept by what is made: extents that fit, tensors with an axis halved or left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from conformance.axis_rules import Extent, Halved, Over, WithoutAxis, axis_of, with_extent
from conformance.call import Attribute
from conformance.constraint import Facts
from conformance.contract import Contract
from conformance.product import Product
from conformance.shape_rules import Numel, SameShape
from conformance.signature import ParameterKind
from conformance.tensor import Shape
from runners.fuzz.classes import Classes, classes, rules_of

_TENSORS = (ParameterKind.TENSOR, ParameterKind.TENSOR_LIST, ParameterKind.SCALAR)


def with_axes_kept(
    contract: Contract, product: Product, shapes: Mapping[str, Shape], made: Mapping[str, Any]
) -> dict[str, Shape]:
    """The shapes, changed until rules about one axis hold; ``made`` has the attributes that name axes."""
    kept = dict(shapes)
    alike = classes(list(kept), (rule.parameters for rule in rules_of(contract, product, SameShape)))
    facts: Facts = {p.name: Attribute(p.kind, made[p.name]) for p in contract.parameters if p.kind not in _TENSORS}
    for limit in rules_of(contract, product, Numel):
        for name in limit.parameters:
            if limit.max is not None and prod(kept[name]) > limit.max:
                _give(kept, alike, name, (limit.max,))
    for extent in rules_of(contract, product, Extent):
        shape, axis = _axis(facts, extent, kept[extent.tensor])
        if axis is not None and extent.over is not Over.OTHERS:
            _give(kept, alike, extent.tensor, with_extent(shape, axis, _fitting(extent, shape[axis])))
    for half in rules_of(contract, product, Halved):
        shape, axis = _axis(facts, half, kept[half.whole])
        if axis is not None:
            _give(kept, alike, half.half, with_extent(shape, axis, shape[axis] // 2))
    for less in rules_of(contract, product, WithoutAxis):
        shape, axis = _axis(facts, less, kept[less.whole])
        if axis is not None:
            _give(kept, alike, less.reduced, (*shape[:axis], *shape[axis + 1 :]))
    return kept


def _axis(facts: Facts, rule: Extent | Halved | WithoutAxis, shape: Shape) -> tuple[Shape, int | None]:
    return shape, axis_of(facts, rule.axis, rule.at, len(shape))


def _fitting(rule: Extent, extent: int) -> int:
    """The next extent that is within the limits and a multiple."""
    extent = max(extent, rule.min)
    extent += -extent % rule.multiple_of
    if rule.max is not None and extent > rule.max:
        return rule.max - rule.max % rule.multiple_of
    return extent


def _give(shapes: dict[str, Shape], alike: Classes, name: str, shape: Shape) -> None:
    """Give a shape to a tensor and to all that must have the same."""
    same: Iterable[str] = [other for other, leader in alike.items() if leader == alike[name]]
    shapes.update(dict.fromkeys(same, shape))
