"""Ways to read and write strided tensors wrongly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import structs

from conformance.call import Action, Call
from conformance.contract import Basis, Contract
from conformance.outcome import Outcome
from conformance.tensor import Array, Memory, Shape, Tensor, contiguous_strides, new_tensor
from runners.faults.kernels import Build
from runners.simulator.runner import SimulatorRunner

Place = tuple[Shape, int]
"""Strides and offset, in elements."""
Misread = Callable[[Tensor], Place]
"""A tensor → where the fault believes that its elements are."""
_BEYOND = 0xC3
"""What is read outside of a memory."""


class Viewer(SimulatorRunner):
    """Inputs and outputs are addressed as ``read`` and ``write`` say."""

    def __init__(self, read: Callable[[Sequence[Tensor]], list[Tensor]], write: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self._read, self._write = read, write

    def run(self, call: Call) -> Outcome:
        """Run the same call on other tensors over the same outputs."""
        inputs = tensors_read(call)
        misread = dict(zip(inputs, self._read(list(inputs.values())), strict=True))
        written = {name: self._write(tensor) for name, tensor in call.tensors(written=True)}
        changed = reading_instead(call, misread, self.contracts)
        return super().run(structs.replace(changed, arguments={**changed.arguments, **written}))


def tensors_read(call: Call) -> dict[str, Tensor]:
    """Tensors that are read, in order; those that are written as well are among them."""
    named = {**dict(call.tensors(written=False)), **dict(call.updated())}
    return {name: named[name] for name in call.arguments if name in named}


def reading_instead(call: Call, tensors: Mapping[str, Tensor], contracts: Mapping[str, Contract]) -> Call:
    """The call with other tensors in place of those it reads.

    One that is written as well stays where it is: of a call that computes, its elements become those of the other.
    """
    updated = dict(call.updated())
    if updated and _computes(call, contracts[call.api]):
        for name, tensor in updated.items():
            if tensors[name] is not tensor:
                tensor.view()[...] = tensors[name].view()
    pure = {name: tensor for name, tensor in tensors.items() if name not in updated}
    return structs.replace(call, arguments={**call.arguments, **pure})


def _computes(call: Call, contract: Contract) -> bool:
    runs = any(step.action is Action.RUN and not step.nulls for step in call.steps)
    refused = contract.first_breach(call.arguments, call.product, without=Basis.DOCUMENT)
    return runs and refused is None and not contract.exits_empty(call.arguments, call.product)


def reading(misread: Misread, which: Callable[[Tensor], bool] = lambda tensor: True, only: int | None = None) -> Build:
    """Inputs for which ``which`` holds are read from another place; ``only`` names one by its number."""

    def read(tensors: Sequence[Tensor]) -> list[Tensor]:
        chosen = range(len(tensors)) if only is None else [range(len(tensors))[only]] if tensors else []
        return [reread(t, *misread(t)) if i in chosen and which(t) else t for i, t in enumerate(tensors)]

    return lambda: Viewer(read, lambda tensor: tensor)


def reading_all(read: Callable[[Sequence[Tensor]], list[Tensor]]) -> Build:
    """Inputs become those that ``read`` makes of all of them together."""
    return lambda: Viewer(read, lambda tensor: tensor)


def writing(misread: Misread, which: Callable[[Tensor], bool] = lambda tensor: True) -> Build:
    """Outputs for which ``which`` holds are written to another place, where that lies in their memory."""
    return lambda: Viewer(list, lambda t: _moved(t, *misread(t)) if which(t) else t)


def reread(tensor: Tensor, strides: Shape, offset: int) -> Tensor:
    """Dense copy of the elements at another place; elements outside of the memory are rubbish."""
    if tensor.dtype.numpy is None or not tensor.numel or tensor.dtype.bits % 8:
        return tensor
    at = positions(tensor.shape, strides, offset)
    stored = tensor.memory.payload[: len(tensor.memory.payload) // tensor.dtype.itemsize * tensor.dtype.itemsize]
    held = stored.view(tensor.dtype.numpy)
    beyond = np.full(tensor.dtype.itemsize, _BEYOND, np.uint8).view(tensor.dtype.numpy)
    inside = (at >= 0) & (at < len(held))
    copy = new_tensor(tensor.dtype, tensor.shape, tensor.format)
    copy.view()[...] = np.where(inside, held[np.where(inside, at, 0)], beyond)
    return copy


def positions(shape: Shape, strides: Shape, offset: int) -> Array:
    """Place of every element in the storage, of that shape."""
    at: Array = np.full(shape, offset, np.int64)
    for axis, stride in enumerate(strides):
        at += np.arange(shape[axis]).reshape(-1, *[1] * (len(shape) - axis - 1)) * stride
    return at


def of_values(tensor: Tensor, values: Array) -> Tensor:
    """Dense tensor of other values in a memory of its own."""
    assert tensor.dtype.numpy is not None
    flat = np.ascontiguousarray(values, tensor.dtype.numpy).reshape(-1)
    return structs.replace(
        tensor,
        strides=contiguous_strides(tensor.shape),
        offset=0,
        storage_shape=tensor.shape,
        memory=_memory_of(flat),
    )


def _memory_of(flat: Array) -> Memory:
    memory = Memory(flat.nbytes)
    memory.payload[:] = flat.view(np.uint8)
    return memory


def _moved(tensor: Tensor, strides: Shape, offset: int) -> Tensor:
    last = offset + sum((size - 1) * stride for size, stride in zip(tensor.shape, strides, strict=True))
    if not tensor.numel or not 0 <= last < len(tensor.memory.payload) // tensor.dtype.itemsize:
        return tensor
    return structs.replace(tensor, strides=strides, offset=offset)


def dense_at_offset(tensor: Tensor) -> Place:
    """Strides ignored: dense from the offset on."""
    return contiguous_strides(tensor.shape), tensor.offset


def strided_at_zero(tensor: Tensor) -> Place:
    """Offset ignored."""
    return tensor.strides, 0


def dense_at_zero(tensor: Tensor) -> Place:
    """The storage taken for the view."""
    return contiguous_strides(tensor.shape), 0


def is_strided(tensor: Tensor) -> bool:
    """Whether elements do not follow each other in row-major order, wherever they begin."""
    return tensor.numel > 1 and any(
        size > 1 and stride != dense
        for size, stride, dense in zip(tensor.shape, tensor.strides, contiguous_strides(tensor.shape), strict=True)
    )
