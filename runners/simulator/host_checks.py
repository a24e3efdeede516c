"""Host checks of phase 1: the contract in its order, then what the framework itself cannot carry."""

from __future__ import annotations

from dataclasses import dataclass

from conformance.constraint import Facts
from conformance.contract import Basis, Contract
from conformance.dtype_rules import DTypeIn
from conformance.product import Product
from conformance.status import CODES
from conformance.tensor import Tensor
from runners.simulator.messages import refused


@dataclass(frozen=True, slots=True)
class Refusal:
    """A non-zero status and its text."""

    status: int
    message: str


def check(contract: Contract, facts: Facts, product: Product) -> Refusal | None:
    """First thing wrong with a call, or None.

    Constraints that only the document states are not enforced: the simulator does what implementations do.
    """
    breach = contract.first_breach(facts, product, without=Basis.DOCUMENT)
    if breach is not None:
        return Refusal(breach.constraint.status, refused(contract.api, breach.message))
    return None if contract.exits_empty(facts, product) else _uncastable(contract, facts, product)


def _uncastable(contract: Contract, facts: Facts, product: Product) -> Refusal | None:
    """561103 for a tensor whose dtype no cast kernel handles, as a failing Cast in phase 1 gives.

    A dtype that the contract lists for the tensor needs no cast.
    """
    strange = [
        (parameter.name, argument)
        for parameter in contract.parameters
        if isinstance(argument := facts.get(parameter.name), Tensor) and argument.dtype.numpy is None
    ]
    if not strange:
        return None
    listed = {
        (name, dtype)
        for constraint in contract.enforced(product, without=Basis.DOCUMENT)
        if isinstance(constraint.rule, DTypeIn)
        for name in constraint.rule.parameters
        for dtype in constraint.rule.dtypes.of(product)
    }
    for name, argument in strange:
        if (name, argument.dtype) not in listed:
            clause = f"{name}: no cast kernel for dtype {argument.dtype}"
            return Refusal(CODES["INNER_NULLPTR"], refused(contract.api, clause))
    return None
