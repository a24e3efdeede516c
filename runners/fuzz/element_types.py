"""Element types of a legal call: listed for the product, equal where they must be, mixed where they may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conformance.contract import Contract
from conformance.dtype import DTYPES, DType
from conformance.dtype_rules import DTypeIn, DTypeNotIn, SameDType, ScalarDTypeIn
from conformance.product import Product
from conformance.promotion import promote
from conformance.promotion_rules import MixedPrecision
from runners.fuzz.choices import Choices
from runners.fuzz.classes import classes, rules_of
from runners.fuzz.openness import untested_types

_DEFAULT = (DTYPES["float32"],)


def element_types(
    contract: Contract, product: Product, choices: Choices, first: DType | None = None
) -> dict[str, DType]:
    """Type of every tensor; ``first`` fixes the type that all have unless they are mixed.

    A tensor that no rule speaks of has the first tensor's type. Promotion is left to the check of the whole call.
    """
    names = [parameter.name for parameter in contract.tensors]
    listed = {name: _listed(contract, product, name) for name in names}
    spoken_of = {name for rule in rules_of(contract, product, DTypeIn) for name in rule.parameters}
    alike = [rule.parameters for rule in rules_of(contract, product, SameDType)]
    outputs = [rule.output for rule in rules_of(contract, product, MixedPrecision)]
    silent = [(names[0], name) for name in names if name not in spoken_of and name not in outputs]
    leaders = classes(names, [*alike, *silent])
    allowed = {leader: _common([listed[n] for n in names if leaders[n] == leader]) for leader in leaders.values()}
    one = first or choices.pick(allowed[leaders[names[0]]])
    mixed = first is None and len(allowed) > 1 and choices.pick([False, False, True])
    chosen = {
        leader: choices.pick(types) if mixed or one not in types else one for leader, types in allowed.items() if types
    }
    types = {name: chosen.get(leaders[name], one) for name in names}
    for rule in rules_of(contract, product, MixedPrecision):
        inputs = {types[name] for name in rule.parameters}
        types[rule.output] = rule.wide if len(inputs) > 1 else types[rule.parameters[0]]
    return {**types, **_unrounded(contract, types)} if mixed else types


def _unrounded(contract: Contract, types: Mapping[str, DType]) -> dict[str, DType]:
    """Outputs in the type that all inputs promote to: a cast after the computation would be a second rounding."""
    first, *others = (types[parameter.name] for parameter in contract.tensors if not parameter.is_written)
    promoted: DType | None = first
    for other in others:
        promoted = promote(promoted, other) if promoted is not None else None
    return {} if promoted is None else {name: promoted for name in contract.outputs if name in types}


def common_types(contract: Contract, product: Product) -> list[DType]:
    """Types that every tensor of a call may have at once."""
    return listed_types(contract, product, [parameter.name for parameter in contract.tensors])


def listed_types(contract: Contract, product: Product, names: Sequence[str]) -> list[DType]:
    """Types that every one of these tensors may have by rules that hold always."""
    return _common([_listed(contract, product, name) for name in names]) if names else []


def scalar_types(contract: Contract, product: Product, name: str) -> Sequence[DType]:
    """Types an ``aclScalar`` may be stored in; float32 where no rule says."""
    lists = [rule.dtypes.of(product) for rule in rules_of(contract, product, ScalarDTypeIn) if name in rule.parameters]
    return _common([list(dtypes) for dtypes in lists]) if lists else _DEFAULT


def _listed(contract: Contract, product: Product, name: str) -> list[DType]:
    lists = [list(r.dtypes.of(product)) for r in rules_of(contract, product, DTypeIn) if name in r.parameters]
    refused = [d for r in rules_of(contract, product, DTypeNotIn) if name in r.parameters for d in r.dtypes.of(product)]
    refused += untested_types(contract, product, name)
    return [dtype for dtype in _common(lists or [list(DTYPES.values())]) if dtype not in refused]


def _common(lists: Sequence[Sequence[DType]]) -> list[DType]:
    return [dtype for dtype in lists[0] if all(dtype in other for other in lists)]
