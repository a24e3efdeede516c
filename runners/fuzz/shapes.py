"""Shapes of a legal call: one shape is given, the rules of the contract derive the others from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from conformance.broadcast_rules import BroadcastResult, BroadcastsTo
from conformance.contract import Contract
from conformance.product import Product
from conformance.shape_rules import MOST_DIMS, ChannelWeight, Rank, SameShape, WeightForm
from conformance.tensor import Shape
from runners.fuzz.choices import Choices
from runners.fuzz.classes import classes, enforced_rules, rules_of

_Derivation = tuple[str, Callable[[Shape], Shape]]
"""The tensor whose shape is looked at, and the shape that follows."""


def ranks(contract: Contract, product: Product) -> range:
    """Ranks that every rule about required tensors allows; all where none does, as of a matrix and a vector."""
    required = {parameter.name for parameter in contract.tensors if not parameter.optional}
    rules = [rule for rule in rules_of(contract, product, Rank) if required.intersection(rule.parameters)]
    high = min((rule.max for rule in rules if rule.max is not None), default=MOST_DIMS)
    return range(max((rule.min for rule in rules), default=0), high + 1) or range(MOST_DIMS + 1)


def shapes(contract: Contract, product: Product, root: Shape, choices: Choices, *, narrow: bool) -> dict[str, Shape]:
    """Shape of every tensor when the largest is ``root``; ``narrow`` lets others broadcast to it."""
    names = [parameter.name for parameter in contract.tensors]
    leaders = classes(names, (rule.parameters for rule in rules_of(contract, product, SameShape)))
    derived = {
        leaders[name]: (leaders[source], shape)
        for name, (source, shape) in _derivations(contract, product, choices, narrow).items()
        if leaders[name] != leaders[source]
    }
    found: dict[str, Shape] = {}

    def shape_of(leader: str, above: tuple[str, ...] = ()) -> Shape:
        if leader not in found:
            source, follows = derived.get(leader, ("", _same))
            known = not source or source in above
            found[leader] = root if known else follows(shape_of(source, (*above, leader)))
        return found[leader]

    return {name: shape_of(leaders[name]) for name in names}


def broadcast_parameters(contract: Contract, product: Product) -> set[str]:
    """Tensors that may be narrower than the largest."""
    several = (rule.parameters for rule in rules_of(contract, product, BroadcastResult))
    single = (rule.parameter for rule in rules_of(contract, product, BroadcastsTo))
    return {*single, *(name for names in several for name in names)}


def _derivations(contract: Contract, product: Product, choices: Choices, narrow: bool) -> dict[str, _Derivation]:
    found: dict[str, _Derivation] = {}
    narrowed = partial(_narrowed, choices=choices, allowed=narrow)
    computed = set(enforced_rules(contract, product, BroadcastsTo))
    for broadcast in rules_of(contract, product, BroadcastsTo):
        # Where the document alone speaks of broadcasting, nothing is known to broadcast.
        found[broadcast.parameter] = (broadcast.target, narrowed if broadcast in computed else _same)
    targets = {rule.target for rule in rules_of(contract, product, BroadcastsTo)}
    for result in rules_of(contract, product, BroadcastResult):
        # One input keeps the whole shape, so that the result has it: one that others may have to broadcast to.
        whole = choices.pick([name for name in result.parameters if name in targets] or result.parameters)
        for name in result.parameters:
            found[name] = (result.output, _same if name == whole else narrowed)
    for weight in rules_of(contract, product, ChannelWeight):
        found[weight.weight] = (weight.tensor, partial(_weight, form=weight.form, choices=choices))
    return found


def _same(shape: Shape) -> Shape:
    return shape


def _narrowed(shape: Shape, choices: Choices, allowed: bool) -> Shape:
    """A shape that broadcasts to ``shape``: itself, an axis of 1, leading axes dropped, or one element."""
    ways = ["whole", "axis", "tail", "one"] if allowed and shape else ["whole"]
    way = choices.pick(ways)
    if way == "whole":
        return shape
    if way == "one":
        return choices.pick([(), (1,) * len(shape)])
    axis = choices.pick(range(len(shape)))
    return shape[axis + 1 :] if way == "tail" else (*shape[:axis], 1, *shape[axis + 1 :])


def _weight(shape: Shape, form: WeightForm, choices: Choices) -> Shape:
    channels = shape[1] if len(shape) > 1 else 1
    if not shape:
        return choices.pick([(1,), ()])
    ranked = tuple(channels if axis == 1 else 1 for axis in range(len(shape)))
    free: list[Shape] = [(1, channels), (channels, 1)] if form is WeightForm.ANY_SHAPE else []
    return choices.pick([(channels,), ranked, (1,), *free])
