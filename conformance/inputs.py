"""What a call starts from: the elements of what it reads, as they are before it is made."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.call import Call
from conformance.tensor import Array, Tensor

_COPIED = 1 << 20
"""Bytes of an input up to which it is copied whether or not the call may write it."""


def inputs_of(call: Call) -> dict[str, Array]:
    """What the call starts from: a copy of what it may write, large inputs as they lie in memory."""
    written = {id(tensor.memory) for _, tensor in call.tensors(written=True)}
    return {
        name: tensor.view() if id(tensor.memory) not in written and _is_large(tensor) else tensor.array()
        for name, tensor in (*call.tensors(written=False), *call.updated())
        if tensor.dtype.carrier is not None
    }


def _is_large(tensor: Tensor) -> bool:
    size = len(tensor.memory.payload)
    return size > _COPIED and tensor.is_contiguous and tensor.dtype.codes is None and tensor.dtype.numpy is not None


def is_vivid(inputs: Mapping[str, Array]) -> bool:
    """Whether some input is neither all zero nor all NaN."""
    return any(not _is_flat(array) for array in inputs.values())


def _is_flat(array: Array) -> bool:
    """Whether every element is zero, or every element is NaN."""
    if not array.size:
        return True
    first = array.flat[0]
    if first != 0 and first == first:
        return False
    return bool((array == 0).all() or (array != array).all())
