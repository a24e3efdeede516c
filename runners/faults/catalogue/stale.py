"""Faults of what is kept from the first call of some shapes: layouts, scalars, a constant, types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import structs

from conformance.call import Call
from conformance.contract import Contract
from conformance.outcome import Completed, Outcome
from conformance.tensor import Tensor
from runners.faults.fault import HARD, OURS, Fault, FaultClass
from runners.faults.views import of_values, reading_instead, reread, tensors_read
from runners.faults.where import has_inputs
from runners.simulator.runner import SimulatorRunner

_fault = partial(Fault, FaultClass.STATE, stateful=True)
Contracts = Mapping[str, Contract]


def shapes_of(call: Call) -> tuple[object, ...]:
    """What a cache of executors is keyed by: API, shapes and types."""
    tensors = [*call.tensors(written=False), *call.tensors(written=True)]
    return (call.api, *((name, tensor.shape, tensor.dtype.name) for name, tensor in tensors))


class Remembering(SimulatorRunner):
    """What ``change`` makes of a call and the one remembered under the same key is run instead of it."""

    def __init__(
        self, change: Callable[[Call, Call, Contracts], Call], key: Callable[[Call], object] = shapes_of
    ) -> None:
        super().__init__()
        self._change, self._key = change, key
        self._first: dict[object, Call] = {}

    def run(self, call: Call) -> Outcome:
        """Run with what the first call of that key left."""
        first = self._first.get(self._key(call))
        outcome = super().run(call if first is None else self._change(call, first, self.contracts))
        if first is None and isinstance(outcome, Completed):
            self._first[self._key(call)] = call
        return outcome


def _layouts(call: Call, first: Call, contracts: Contracts) -> Call:
    old = tensors_read(first)
    changed = {name: reread(t, old[name].strides, old[name].offset) for name, t in tensors_read(call).items()}
    return reading_instead(call, changed, contracts)


def _scalars(call: Call, first: Call, contracts: Contracts) -> Call:
    old = {name: given for name, given in first.arguments.items() if not isinstance(given, Tensor | tuple) and given}
    return structs.replace(call, arguments={**call.arguments, **old})


def _last_input(call: Call, first: Call, contracts: Contracts) -> Call:
    name = list(dict(call.tensors(written=False)))[-1]
    new, old = call.arguments[name], first.arguments[name]
    if not isinstance(new, Tensor) or not isinstance(old, Tensor) or new.dtype.numpy is None or not new.numel:
        return call
    return structs.replace(call, arguments={**call.arguments, name: of_values(new, old.array())})


def _types(call: Call, first: Call, contracts: Contracts) -> Call:
    """Elements of the same width are taken for the type that came first."""
    old = tensors_read(first)
    changed = {name: _as(tensor, old[name]) for name, tensor in tensors_read(call).items()}
    return reading_instead(call, changed, contracts)


def _as(tensor: Tensor, old: Tensor) -> Tensor:
    kind = old.dtype.numpy
    if tensor.dtype.numpy is None or kind is None or tensor.dtype.itemsize != old.dtype.itemsize or not tensor.numel:
        return tensor
    return of_values(tensor, tensor.array().view(kind).astype(tensor.dtype.numpy))


def _widths(call: Call) -> tuple[object, ...]:
    return (call.api, *((n, t.shape, t.dtype.itemsize) for n, t in tensors_read(call).items()))


FAULTS = (
    _fault(
        "layouts_of_the_first_call", HARD, "strides and offsets are those of the first call of these shapes and types",
        "opbase@4e247ee", lambda: Remembering(_layouts),
    ),
    _fault(
        "scalars_of_the_first_call", HARD,
        "scalars and attributes are those of the first call of these shapes and types", "opbase@4e247ee",
        lambda: Remembering(_scalars), lambda contract, product: len(contract.parameters) > len(contract.tensors),
    ),
    _fault(
        "last_input_of_the_first_call", HARD, "the last input is taken for a constant of these shapes and types", OURS,
        lambda: Remembering(_last_input), has_inputs(2),
    ),
    _fault(
        "types_of_the_first_call", HARD, "the type is that of the first call of these shapes and widths",
        "opbase@0f14bd1", lambda: Remembering(_types, _widths),
    ),
)  # fmt: skip
"""Faults of this class that remember the first call."""
