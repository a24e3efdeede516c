"""What would become of a case if it were run, told from what its file says of types and names alone.

That a document admits no such shape is found out by running.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from conformance.case import ArgumentSpec, TensorSpec
from conformance.foreign.bind import Unbound
from conformance.foreign.calls import StatedCall, bound, missing
from conformance.load import load_contracts
from conformance.select import Limits

RUNNABLE, TOO_LARGE, NEEDS_SCRIPT = "runnable", "too large", "needs its executor"
NO_CONTRACT, UNFIT, UNREADABLE = "no contract", "does not fit the contract", "cannot be read"
OUTCOMES = (RUNNABLE, TOO_LARGE, NEEDS_SCRIPT, NO_CONTRACT, UNFIT, UNREADABLE)

NAMELESS = "?"
"""Stands for the API of a case that cannot be read."""


@dataclass(frozen=True, slots=True, order=True)
class Outlook:
    """One of the outcomes for a case of an API, and the reason ("" where there is none)."""

    api: str
    outcome: str
    why: str = ""


Outlooks = dict[Outlook, list[int]]
"""Outlooks of the cases of a file → where they stand: places in a list from 0, lines of a table from 1."""


def outlook_of(call: StatedCall, limits: Limits) -> Outlook:
    """What would become of a call."""
    contract = load_contracts().get(call.api)
    if contract is None:
        return without_contract(call.api)
    script = missing(call, contract)
    if script:
        return Outlook(call.api, NEEDS_SCRIPT, script)
    try:
        arguments = bound(call, contract).arguments
    except Unbound as error:
        return Outlook(call.api, UNFIT, str(error))
    large = _excess(arguments.values(), limits)
    return Outlook(call.api, TOO_LARGE, large) if large else Outlook(call.api, RUNNABLE)


def without_contract(api: str) -> Outlook:
    """What becomes of every case of an API that this suite does not have."""
    return Outlook(api, NO_CONTRACT, "this suite has no contract of the API")


def _excess(arguments: Iterable[ArgumentSpec], limits: Limits) -> str:
    tensors = [one for one in arguments if isinstance(one, TensorSpec)]
    if limits.max_elements is not None and any(prod(one.shape) > limits.max_elements for one in tensors):
        return beyond_elements(limits)
    if limits.max_bytes is not None:
        taken = sum(prod(one.storage_shape) * one.dtype.itemsize for one in tensors)
        return beyond_bytes(limits) if taken > limits.max_bytes else ""
    return ""


def beyond_elements(limits: Limits) -> str:
    """The reason of a tensor that is too large."""
    return f"a tensor of more than {limits.max_elements} elements"


def beyond_bytes(limits: Limits) -> str:
    """The reason of tensors that are too large together."""
    return f"tensors of more than {limits.max_bytes} bytes together"
