"""Strided tensors in and out: reading as Contiguous does, writing as ViewCopy does."""

from __future__ import annotations

from conformance.tensor import Array, Tensor


def dense(tensor: Tensor) -> Array:
    """The tensor's own memory as a read-only array, for a tensor that is already contiguous; of codes the numbers."""
    view = (tensor.view() if tensor.dtype.codes is None else tensor.array()).reshape(tensor.shape)
    view.flags.writeable = False
    return view


def gather(tensor: Tensor, into: Array) -> Array:
    """``into`` filled with the elements of a strided tensor, read-only from here on; of codes an array of numbers."""
    if tensor.dtype.codes is not None:
        return dense(tensor)
    into[...] = tensor.view()
    into.flags.writeable = False
    return into


def scatter(values: Array, tensor: Tensor) -> None:
    """Write ``values`` through the tensor's strides; bytes between its elements stay as they are.

    Raises ValueError unless shape and dtype are exactly the tensor's: ViewCopy converts neither.
    """
    if values.shape != tensor.shape or values.dtype != tensor.dtype.carrier:
        source, target = f"{values.dtype}{list(values.shape)}", f"{tensor.dtype}{list(tensor.shape)}"
        raise ValueError(f"view copy of {source} to {target} is impossible")
    tensor.store(values)
