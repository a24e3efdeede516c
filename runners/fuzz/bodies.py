"""Group bodies of case files for calls that the contract, by document and implementation alike, answers one way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from conformance.call import Attribute, Scalar
from conformance.constraint import Change, EmptyExit, Facts, TensorChange, TensorFacts, tensor_of, with_changes
from conformance.contract import Basis, Contract
from conformance.dtype import DType
from conformance.number import write_number
from conformance.product import PRODUCTS, Product
from conformance.signature import Parameter, ParameterKind, Role
from conformance.specify import specify
from conformance.standard import ComparisonClass
from conformance.status import NAMES
from conformance.tensor import Shape
from runners.fuzz.attributes import attribute, scalar
from runners.fuzz.axes import with_axes_kept
from runners.fuzz.choices import Choices
from runners.fuzz.element_types import element_types
from runners.fuzz.layouts import layout
from runners.fuzz.mending import SIDES, Draft, mended
from runners.fuzz.openness import left_open
from runners.fuzz.shapes import shapes
from runners.fuzz.values import values

Body = dict[str, Any]
"""A group as it stands in a case file."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What is settled of a call before its rules are asked; ``dtype`` None lets the choices decide."""

    root: Shape
    dtype: DType | None = None
    narrow: bool = True
    strided: bool = True


def legal_arguments(contract: Contract, product: Product, outline: Outline, choices: Choices) -> dict[str, Any]:
    """Arguments that keep the rules the makers know of; ``answer`` says whether they keep all.

    Raises InvalidSpec where an attribute cannot be written as its kind.
    """
    plain = _plain_arguments(contract, product, outline, choices)
    spare = facts_of(contract, plain)
    null = [p.name for p in contract.parameters if p.optional and _is_left_null(contract, p, choices)]
    draft = Draft(contract, product, {**spare, **dict.fromkeys(null)}, spare, choices)
    facts = mended(draft)
    made = {name: _written(contract, name, fact) for name, fact in facts.items() if not isinstance(fact, tuple)}
    thresholds = [fact.value for fact in facts.values() if isinstance(fact, Scalar)]
    numbers = [float(number) for number in thresholds if not isinstance(number, complex)]
    for parameter in contract.tensors:
        tensor = tensor_of(facts, parameter.name)
        if tensor is not None:
            made[parameter.name] = _dressed(contract, parameter, tensor, outline, numbers, choices)
    return {parameter.name: made[parameter.name] for parameter in contract.parameters}


def _plain_arguments(contract: Contract, product: Product, outline: Outline, choices: Choices) -> dict[str, Any]:
    """Types, shapes and attributes alone, with nothing null."""
    types = element_types(contract, product, choices, outline.dtype)
    extents = shapes(contract, product, outline.root, choices, narrow=outline.narrow)
    made = {
        parameter.name: scalar(contract, product, parameter, types, choices)
        if parameter.kind is ParameterKind.SCALAR
        else attribute(contract, product, parameter, extents, choices)
        for parameter in contract.parameters
        if parameter.kind is not ParameterKind.TENSOR
    }
    extents = with_axes_kept(contract, product, extents, made)
    tensors = {name: {"dtype": types[name].name, "shape": list(extents[name])} for name in types}
    return {**tensors, **made}


def _is_left_null(contract: Contract, parameter: Parameter, choices: Choices) -> bool:
    """Half of the time, and always where the contract leaves open what to pass."""
    return bool(left_open(contract, parameter.name)) or choices.pick((True, False))


def _dressed(
    contract: Contract,
    parameter: Parameter,
    tensor: TensorFacts,
    outline: Outline,
    thresholds: Sequence[float],
    choices: Choices,
) -> Body:
    """The tensor with values, where it is read, and with a layout."""
    dtype, shape = tensor.dtype, tuple(tensor.shape)
    made: Body = {"dtype": dtype.name, "shape": list(shape)}
    word = layout(contract, parameter, shape, choices) if outline.strided else "contiguous"
    if parameter.role is not Role.OUTPUT:
        made["values"] = values(dtype, shape, choices, thresholds, tame=sums(contract), repeats=_is_expanded(word))
    return made if word == "contiguous" else {**made, "layout": word}


def _is_expanded(layout: Any) -> bool:
    return isinstance(layout, dict) and "expanded" in layout


def sums(contract: Contract) -> bool:
    """Whether some output sums over many elements: then the order of steps shows in overflow and in infinities."""
    return bool({ComparisonClass.REDUCTION, ComparisonClass.FUSED} & set(contract.outputs.values()))


def facts_of(contract: Contract, arguments: Mapping[str, Any]) -> Facts:
    """What constraints look at in a call of these arguments; raises InvalidSpec."""
    return specify(contract, {"arguments": arguments}, {}).facts


def answer(contract: Contract, facts: Facts, product: Product) -> int | None:
    """Status by document and implementation alike: 0, or that of a refusal; None where the two differ."""
    statuses = {_status(contract, facts, product, side) for side in SIDES}
    return statuses.pop() if len(statuses) == 1 else None


def expectation(contract: Contract, facts: Facts, product: Product) -> Any:
    """What a legal call is expected to do: succeed, and leave outputs alone where it ends early as empty.

    None where document and implementation differ about that.
    """
    early = {_leaves_early(contract, facts, product, side) for side in SIDES}
    if len(early) > 1:
        return None
    filled = [name for name in contract.outputs if prod(getattr(facts[name], "shape", (0,)))]
    return {"success": {"untouched": filled}} if early.pop() and filled else "success"


def alike_on(contract: Contract, facts: Facts, expect: Any) -> list[str]:
    """Products on which a call is legal and the same is expected of it."""
    return [
        name
        for name in contract.products
        if answer(contract, facts, PRODUCTS[name]) == 0 and expectation(contract, facts, PRODUCTS[name]) == expect
    ]


def faults(contract: Contract, facts: Facts, product: Product) -> Iterator[tuple[str, int, Mapping[str, Change]]]:
    """Each minimal way to make a legal call illegal: its name, the status that both sides give, and the changes."""
    for constraint in contract.constraints:
        if constraint.applies_to(product):
            for violation in constraint.rule.violations(facts, product):
                status = answer(contract, with_changes(facts, violation.changes), product)
                if status:
                    yield f"{constraint.label}_{violation.name}", status, violation.changes


def written_changes(contract: Contract, changes: Mapping[str, Change]) -> dict[str, Any]:
    """Arguments of a group that is ``like`` the legal one, less nothing but the fault."""
    return {name: _written(contract, name, change) for name, change in changes.items()}


def success_body(name: str, about: str, arguments: Mapping[str, Any], expect: Any, products: Sequence[str]) -> Body:
    """A group of one legal call."""
    return {"name": name, "about": about, "products": list(products), "arguments": dict(arguments), "expect": expect}


def refusal_body(name: str, about: str, like: str, arguments: Mapping[str, Any], status: int) -> Body:
    """A group of one call that differs from the group ``like`` by a fault."""
    reject = {"reject": NAMES[status], "phase": "workspace"}
    return {"name": name, "about": about, "like": like, "arguments": dict(arguments), "expect": reject}


def _status(contract: Contract, facts: Facts, product: Product, without: Basis) -> int:
    breach = contract.first_breach(facts, product, without=without)
    return breach.constraint.status if breach else 0


def _leaves_early(contract: Contract, facts: Facts, product: Product, without: Basis) -> bool:
    exits = (c.rule for c in contract.enforced(product, without=without) if isinstance(c.rule, EmptyExit))
    return any(exit_.is_empty(facts) for exit_ in exits)


def _written(contract: Contract, name: str, change: Change | TensorFacts) -> Any:
    if isinstance(change, Scalar):
        assert not isinstance(change.value, complex)
        return {"scalar": write_number(change.value), "dtype": change.dtype.name}
    if isinstance(change, Attribute):
        value = change.value
        return list(value) if isinstance(value, tuple) else value
    return _written_tensor(contract, name, change) if isinstance(change, TensorChange) else None


def _written_tensor(contract: Contract, name: str, change: TensorChange) -> Body:
    changed: Body = {}
    if change.dtype is not None:
        changed["dtype"] = change.dtype.name
    if change.shape is not None:
        changed |= {"shape": list(change.shape), "layout": "contiguous"}
    if changed and contract.parameter(name).role is not Role.OUTPUT:
        changed["values"] = {"constant": 1}
    return changed if change.format is None else {**changed, "format": change.format.name}
