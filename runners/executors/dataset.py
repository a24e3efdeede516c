"""Inputs of a call ⇄ what an executor works on: torch tensors and plain values, by name or by place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from conformance.call import Argument, Attribute, Call, Scalar
from conformance.tensor import Array, Tensor
from runners.executors.shim import InputDataset, place_name
from runners.reference.convert import TORCH, is_convertible, to_numpy, to_torch

Described = Mapping[str, Any]
"""One input: ``name``, and ``of``, its parameter, or ``value`` where it is no argument of the call."""


class Refused(Exception):
    """What an executor does that a case of this suite cannot follow; the text says what."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an input stands: its name, or its place among those without; its parameter ("" for none)."""

    key: str
    parameter: str

    def value_in(self, data: InputDataset) -> Any:
        """What stands there; raises Refused where nothing does."""
        known = {**{place_name(place): value for place, value in enumerate(data.args)}, **data.kwargs}
        if self.key not in known:
            raise Refused(f"takes the input {self.key} away")
        return known[self.key]


def dataset_of(call: Call, inputs: Sequence[Described]) -> tuple[InputDataset, list[Slot]]:
    """The inputs of a call as an executor gets them; raises Refused where torch has no such type."""
    data, slots = InputDataset(), []
    for one in inputs:
        name, parameter = one["name"], one.get("of", "")
        value = _value(name, call.arguments[parameter]) if parameter else one["value"]
        if name in data.kwargs:
            raise Refused(f"has two inputs of the name {name}")
        slots.append(Slot(name or place_name(len(data.args)), parameter))
        if name:
            data.kwargs[name] = value
        else:
            data.args.append(value)
    return data, slots


def _value(name: str, argument: Argument) -> Any:
    if isinstance(argument, Tensor):
        if not is_convertible(argument.dtype):
            raise Refused(f"has an input {name} of type {argument.dtype}, which torch cannot hold")
        return to_torch(argument.array())
    if isinstance(argument, (Scalar, Attribute)):
        return list(argument.value) if isinstance(argument.value, tuple) else argument.value
    return None


def outputs_of(call: Call) -> list[torch.Tensor]:
    """Tensors like those that the call writes."""
    written = (tensor for _, tensor in call.tensors(written=True))
    return [torch.empty(tensor.shape, dtype=TORCH[tensor.dtype.name]) for tensor in written if _is_in_torch(tensor)]


def _is_in_torch(tensor: Tensor) -> bool:
    return tensor.dtype.name in TORCH


def take_back(
    call: Call, slots: Sequence[Slot], data: InputDataset, passed: Mapping[str, Any], was: InputDataset
) -> None:
    """Write what became of the inputs into the call's tensors; raises Refused where they are other inputs now.

    ``passed`` are the arguments of the call itself, where an executor made them; ``was`` is how everything began.
    """
    if not isinstance(data.kwargs, dict) or not isinstance(data.args, list):
        raise Refused("puts something else in place of all inputs")
    added = [*map(str, set(data.kwargs) - set(was.kwargs)), *(["more"] if len(data.args) > len(was.args) else [])]
    if added:
        raise Refused(f"adds inputs: {', '.join(sorted(added))}")
    made = [(slot, passed[slot.key] if slot.key in passed else slot.value_in(data)) for slot in slots if slot.parameter]
    for slot, value in made:
        _require_same_kind(slot, value, call.arguments[slot.parameter], slot.value_in(was))
    arrays = [(slot, _array(slot, value)) for slot, value in made if isinstance(value, torch.Tensor)]
    for slot, array in arrays:
        tensor = call.arguments[slot.parameter]
        assert isinstance(tensor, Tensor)
        tensor.store(array)


def _array(slot: Slot, value: torch.Tensor) -> Array:
    """A copy of the elements: what the executor keeps may be written again."""
    try:
        return np.array(to_numpy(value.detach().cpu().resolve_conj().resolve_neg().contiguous()))
    except (RuntimeError, NotImplementedError, TypeError) as error:
        raise Refused(f"makes the input {slot.key} a tensor that cannot be read: {error}"[:300]) from None


def _require_same_kind(slot: Slot, value: Any, argument: Argument, before: Any) -> None:
    """Raises Refused where an input is no longer what its parameter is."""
    if not isinstance(argument, Tensor):
        if not _same(value, before):
            raise Refused(f"makes the input {slot.key} {value!r:.60}, which is {before!r:.60} in the file")
        return
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        raise Refused(f"makes the input {slot.key} a {type(value).__name__}, which is no dense tensor")
    theirs = next(_different(value, argument), "")
    if theirs:
        raise Refused(f"makes the input {slot.key} a tensor of {theirs}")


def _different(value: torch.Tensor, argument: Tensor) -> Iterator[str]:
    if tuple(value.shape) != argument.shape:
        yield f"shape {list(value.shape)}, where the file has {list(argument.shape)}"
    if value.dtype is not TORCH[argument.dtype.name]:
        yield f"type {str(value.dtype).removeprefix('torch.')}, where the file has {argument.dtype}"


def _same(one: Any, other: Any) -> bool:
    """Whether two values that are no tensors are alike; NaN is like NaN."""
    return type(one) is type(other) and repr(one) == repr(other)
