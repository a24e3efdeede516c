"""Calls made legal: the first constraint that a draft breaks is mended, then the next, by what its rule asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.axis_rules import Halved, WithoutAxis, axis_of, with_extent
from conformance.broadcast_rules import BroadcastNumel, BroadcastResult, BroadcastsTo, broadcast
from conformance.call import Attribute
from conformance.conditional_rules import Given
from conformance.constraint import Fact, Facts, Rule, TensorOutline, tensor_of, tensors_of
from conformance.contract import Basis, Constraint, Contract
from conformance.dtype import DType
from conformance.dtype_rules import DTypeIn, DTypeNotIn, DTypeNumber, SameDType
from conformance.pointer_rules import NotNull, Null
from conformance.product import Product
from conformance.promotion_rules import PromotesTo
from conformance.shape_rules import Numel, Rank, SameShape
from conformance.tensor import Shape
from runners.fuzz.attribute_mending import ATTRIBUTE_RULES, admitted
from runners.fuzz.choices import Choices
from runners.fuzz.classes import Classes, classes, rules_of
from runners.fuzz.element_types import listed_types

Update = Mapping[str, Fact]
"""Arguments that are replaced."""
SIDES = (Basis.IMPLEMENTATION, Basis.DOCUMENT)
_MOST = 16
"""Constraints that are mended before a draft is given up."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Facts of a call that is not legal yet; ``spare`` has an argument for every pointer, null ones included."""

    contract: Contract
    product: Product
    facts: Facts
    spare: Facts
    choices: Choices

    def outline(self, name: str, dtype: DType | None = None, shape: Shape | None = None) -> Fact:
        """The tensor with another type or shape; null stays null."""
        tensor = tensor_of(self.facts, name)
        if tensor is None:
            return None
        return TensorOutline(dtype or tensor.dtype, tuple(tensor.shape) if shape is None else shape, tensor.format)

    def shaped(self, shapes: Mapping[str, Shape]) -> Update:
        """Tensors with other shapes, and with them all that must have the same."""
        alike = self._alike()
        given = {alike[name]: shape for name, shape in shapes.items()}
        return {name: self.outline(name, shape=given[leader]) for name, leader in alike.items() if leader in given}

    def _alike(self) -> Classes:
        same = (rule.parameters for rule in rules_of(self.contract, self.product, SameShape))
        return classes([parameter.name for parameter in self.contract.tensors], same)


def mended(draft: Draft) -> Facts:
    """The draft's facts with one broken constraint mended after another, until none is or none can be."""
    for _ in range(_MOST):
        broken = _broken(draft)
        update = _mend(broken.rule, draft) if broken else {}
        if not update:
            break
        draft = Draft(draft.contract, draft.product, {**draft.facts, **update}, draft.spare, draft.choices)
    return draft.facts


def _broken(draft: Draft) -> Constraint | None:
    """The first constraint that the document states, or that the implementation enforces, and the call breaks."""
    breaches = (draft.contract.first_breach(draft.facts, draft.product, without=side) for side in SIDES)
    return next((breach.constraint for breach in breaches if breach), None)


def _mend(rule: Rule, draft: Draft) -> Update:
    """What to replace so that the rule holds; nothing where that is not known."""
    if isinstance(rule, Given):
        return _mend(rule.rule, draft)
    if isinstance(rule, ATTRIBUTE_RULES):
        return admitted(rule, draft.contract, draft.product, draft.facts, draft.choices)
    mend = _MENDS.get(type(rule))
    return mend(rule, draft) if mend else {}


def _not_null(rule: NotNull, draft: Draft) -> Update:
    return {name: draft.spare.get(name) for name in rule.parameters if draft.facts.get(name) is None}


def _null(rule: Null, draft: Draft) -> Update:
    return dict.fromkeys(rule.parameters)


def _dtype_in(rule: DTypeIn | DTypeNotIn, draft: Draft) -> Update:
    """One listed type for all tensors whose type is not."""
    named = rule.dtypes.of(draft.product)
    refused = [
        n for n, t in tensors_of(draft.facts, rule.parameters) if (t.dtype in named) is isinstance(rule, DTypeNotIn)
    ]
    listed = listed_types(draft.contract, draft.product, refused)
    fitting = [dtype for dtype in listed if (dtype in named) is isinstance(rule, DTypeIn)]
    return _typed(draft, refused, draft.choices.pick(fitting)) if fitting else {}


def _same_dtype(rule: SameDType, draft: Draft) -> Update:
    """The type of an output, which inputs promote to, or that of the first tensor."""
    written = [name for name in rule.parameters if draft.contract.parameter(name).is_written]
    model = next(tensors_of(draft.facts, [*written, *rule.parameters]), None)
    return _typed(draft, rule.parameters, model[1].dtype) if model else {}


def _promotes_to(rule: PromotesTo, draft: Draft) -> Update:
    """All tensors of the first one's type."""
    model = next(tensors_of(draft.facts, rule.parameters), None)
    return _typed(draft, (*rule.parameters, rule.output), model[1].dtype) if model else {}


def _dtype_number(rule: DTypeNumber, draft: Draft) -> Update:
    fact, tensor = draft.facts.get(rule.attribute), tensor_of(draft.facts, rule.tensor)
    return {rule.attribute: Attribute(fact.kind, tensor.dtype.acl)} if isinstance(fact, Attribute) and tensor else {}


def _rank(rule: Rank, draft: Draft) -> Update:
    """Leading axes of 1 more, or as many leading axes less as there are too many."""
    return draft.shaped({name: _fitted(tuple(t.shape), rule) for name, t in tensors_of(draft.facts, rule.parameters)})


def _fitted(shape: Shape, rule: Rank) -> Shape:
    most = len(shape) if rule.max is None else rule.max
    kept = shape[max(len(shape) - most, 0) :] if most else ()
    return (1,) * (rule.min - len(kept)) + kept


def _numel(rule: Numel, draft: Draft) -> Update:
    """Empty axes of one element; all axes of one where there are too many elements."""
    few = rule.max is not None

    def shape_of(shape: Shape) -> Shape:
        return (1,) * len(shape) if few else tuple(extent or 1 for extent in shape)

    return draft.shaped({name: shape_of(t.shape) for name, t in tensors_of(draft.facts, rule.parameters)})


def _same_shape(rule: SameShape, draft: Draft) -> Update:
    model = next(tensors_of(draft.facts, rule.parameters), None)
    return draft.shaped(dict.fromkeys(rule.parameters, tuple(model[1].shape))) if model else {}


def _broadcasts_to(rule: BroadcastsTo, draft: Draft) -> Update:
    target = tensor_of(draft.facts, rule.target)
    return draft.shaped({rule.parameter: tuple(target.shape)}) if target else {}


def _broadcast_result(rule: BroadcastResult | BroadcastNumel, draft: Draft) -> Update:
    """An output of the shape that the inputs broadcast to, or inputs of the output's shape."""
    result = broadcast(*(tuple(tensor.shape) for _, tensor in tensors_of(draft.facts, rule.parameters)))
    output = tensor_of(draft.facts, rule.output)
    if result is not None or output is None:
        return draft.shaped({rule.output: result or ()})
    return draft.shaped(dict.fromkeys(rule.parameters, tuple(output.shape)))


def _halved(rule: Halved | WithoutAxis, draft: Draft) -> Update:
    """The tensor that has an axis halved, or lacks it, in the shape that follows."""
    whole = tensor_of(draft.facts, rule.whole)
    axis = None if whole is None else axis_of(draft.facts, rule.axis, rule.at, len(whole.shape))
    if whole is None or axis is None:
        return {}
    shape = tuple(whole.shape)
    if isinstance(rule, Halved):
        return draft.shaped({rule.half: with_extent(shape, axis, shape[axis] // 2)})
    return draft.shaped({rule.reduced: (*shape[:axis], *shape[axis + 1 :])})


def _typed(draft: Draft, names: Iterable[str], dtype: DType) -> Update:
    return {name: draft.outline(name, dtype=dtype) for name in names}


_MENDS: Mapping[type, Callable[[Any, Draft], Update]] = {
    NotNull: _not_null,
    Null: _null,
    DTypeIn: _dtype_in,
    DTypeNotIn: _dtype_in,
    DTypeNumber: _dtype_number,
    SameDType: _same_dtype,
    PromotesTo: _promotes_to,
    Rank: _rank,
    Numel: _numel,
    SameShape: _same_shape,
    BroadcastsTo: _broadcasts_to,
    BroadcastResult: _broadcast_result,
    BroadcastNumel: _broadcast_result,
    Halved: _halved,
    WithoutAxis: _halved,
}
"""Rules about one extent are kept by the shapes that drafts have from the start."""
