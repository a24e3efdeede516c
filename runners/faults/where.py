"""Where a fault applies, told from what contracts show."""

from __future__ import annotations

from fnmatch import fnmatchcase

from conformance.cells import declared_cells
from conformance.contract import Basis, Contract
from conformance.dtype import DTYPES
from conformance.dtype_rules import DTypeIn
from conformance.product import Product
from conformance.rule_kinds import kind_of
from conformance.shape_rules import ChannelWeight
from conformance.signature import ParameterKind, Role
from conformance.standard import ComparisonClass
from runners.faults.fault import Applies

_BROADCAST_RULES = ("broadcasts_to", "broadcast_result")


def only(*apis: str) -> Applies:
    """These APIs: for faults in a formula of their own."""
    return lambda contract, product: contract.api in apis


def both(first: Applies, second: Applies) -> Applies:
    """Where both apply."""
    return lambda contract, product: first(contract, product) and second(contract, product)


def except_on(*apis: str) -> Applies:
    """Every API but these."""
    return lambda contract, product: contract.api not in apis


def has_output(*classes: ComparisonClass) -> Applies:
    """APIs with an output of one of these comparison classes."""
    return lambda contract, product: any(one in classes for one in contract.outputs.values())


computes = has_output(
    ComparisonClass.ROUNDED,
    ComparisonClass.ARITHMETIC,
    ComparisonClass.ELEMENTWISE,
    ComparisonClass.FUSED,
    ComparisonClass.REDUCTION,
)
"""APIs that do arithmetic: some output is not a mere selection of inputs."""
copies = has_output(ComparisonClass.EXACT)
"""APIs that select: some output is a copy of an input, element by element."""
sums = has_output(ComparisonClass.FUSED, ComparisonClass.REDUCTION)
"""APIs that sum over many elements."""


def has_rule(*kinds: str) -> Applies:
    """APIs whose implementation checks a constraint of one of these kinds on the product."""
    return lambda contract, product: any(
        kind_of(one.rule) in kinds for one in contract.enforced(product, without=Basis.DOCUMENT)
    )


broadcasts = has_rule(*_BROADCAST_RULES)
mixes_types = has_rule("promotes", "mixed_precision")
has_slopes = has_rule("channel_weight")


def has_kind(kind: ParameterKind) -> Applies:
    """APIs with a parameter of that kind."""
    return lambda contract, product: any(parameter.kind is kind for parameter in contract.parameters)


has_threshold = has_kind(ParameterKind.SCALAR)
has_axis = has_rule("axis_range")


def withholds(dtype: str) -> Applies:
    """APIs that by document and implementation take a type, but not on the product."""
    return lambda contract, product: any(
        isinstance(one.rule, DTypeIn) and DTYPES[dtype] in one.rule.dtypes.only_elsewhere(product)
        for one in contract.constraints
        if one.basis is Basis.BOTH
    )


_CELLS: dict[int, tuple[Contract, frozenset[str]]] = {}
"""Cells by identity of the contract, which is kept so that the identity stays its own."""


def declares(*patterns: str) -> Applies:
    """APIs that declare a cell of one of these globs; ``{product}`` stands for the product's name."""

    def applies(contract: Contract, product: Product) -> bool:
        wanted = [pattern.format(product=product.name) for pattern in patterns]
        return any(fnmatchcase(cell, one) for one in wanted for cell in _cells(contract))

    return applies


def _cells(contract: Contract) -> frozenset[str]:
    if id(contract) not in _CELLS:
        _CELLS[id(contract)] = contract, frozenset(map(str, declared_cells(contract)))
    return _CELLS[id(contract)][1]


def has_role(role: Role) -> Applies:
    """APIs with a tensor that is only read, only written, or both."""
    return lambda contract, product: any(parameter.role is role for parameter in contract.tensors)


only_reads, only_writes = has_role(Role.INPUT), has_role(Role.OUTPUT)
"""APIs with a tensor that is read and not written; written and not read."""


def has_inputs(count: int) -> Applies:
    """APIs that read at least so many tensors."""
    return lambda contract, product: len(inputs_of(contract)) >= count


def has_outputs(count: int) -> Applies:
    """APIs that write at least so many tensors."""
    return lambda contract, product: len(contract.outputs) >= count


def inputs_of(contract: Contract) -> list[str]:
    """Names of the tensors that are read, in order."""
    return [p.name for p in contract.tensors if p.role is not Role.OUTPUT]


def weight_of(contract: Contract) -> str | None:
    """Name of the tensor of slopes, one or one a channel; None where there is none."""
    rules = (constraint.rule for constraint in contract.constraints)
    return next((rule.weight for rule in rules if isinstance(rule, ChannelWeight)), None)
