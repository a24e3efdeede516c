"""A call with its outputs, as the files of several suites state it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from conformance.contract import Contract
from conformance.foreign.answers import fitted
from conformance.foreign.bind import Bound, Unbound, bind
from conformance.foreign.build import Fitted
from conformance.foreign.input_rules import fills_of
from conformance.foreign.inputs import Input, Inputs
from conformance.product import PRODUCTS


@dataclass(frozen=True, slots=True)
class StatedCall:
    """One call of a file. ``products`` is where the file wants it, ``refused`` says that it has to fail.

    ``why`` says why it cannot be run whatever the API's contract says, ``script`` which script makes its inputs, or
    other inputs than the file says.
    """

    name: str
    api: str
    inputs: Inputs = ()
    outputs: tuple[Input, ...] = ()
    products: frozenset[str] = frozenset(PRODUCTS)
    refused: bool = False
    why: str = ""
    script: str = ""


def bound(call: StatedCall, contract: Contract) -> Bound:
    """Its inputs as arguments of a contract's API; raises Unbound."""
    if call.why:
        raise Unbound(call.why)
    return bind(call.inputs, contract, apart=True)


def missing(call: StatedCall, contract: Contract) -> str:
    """What nobody here knows of its inputs; "" where all is known, and where rules stand in for a script."""
    ruled, why = fills_of(contract)
    if why or not call.script or (ruled and call.inputs):
        return why
    return f"{call.script} makes inputs, no script is run, and no rule says how"


def fit(call: StatedCall, contract: Contract) -> Fitted:
    """It as a call of a contract; raises Unbound."""
    why = missing(call, contract)
    if why and not call.inputs:
        return Fitted({}, frozenset(PRODUCTS), (), why=why)
    made = fitted(contract, bound(call, contract), call.outputs, call.products, call.refused)
    return replace(made, ruled=fills_of(contract)[0], why=why)
