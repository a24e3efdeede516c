"""A call's tensors as torch tensors: the same elements, strides and offset, on a device."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from conformance.call import Attribute, Call, Scalar
from conformance.tensor import Tensor
from runners.reference.convert import TORCH, is_convertible


class Inexpressible(Exception):
    """A call that torch's operators cannot be asked for; says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """A legal call's arguments by parameter name, tensors on ``device``.

    A strided tensor stays strided: its whole storage goes to the device, and the view is made there.
    """

    call: Call
    device: torch.device

    def tensor(self, name: str) -> torch.Tensor:
        """View of a tensor; on the CPU over the call's own memory."""
        return _view(self._tensor(name), self.device)

    def number(self, name: str) -> float:
        """Value of a scalar."""
        argument = self.call.arguments[name]
        if isinstance(argument, Scalar | Attribute) and isinstance(argument.value, int | float):
            return float(argument.value)
        raise Inexpressible(f"{name} is not a real number")

    def integer(self, name: str) -> int:
        """Value of an integer argument."""
        return int(self.number(name))

    def write(self, name: str, values: torch.Tensor) -> None:
        """Write an output's elements, cast to its type, through its strides."""
        output = self._tensor(name)
        _view(output, torch.device("cpu")).copy_(values)

    def _tensor(self, name: str) -> Tensor:
        argument = self.call.arguments[name]
        if not isinstance(argument, Tensor):
            raise Inexpressible(f"{name} is not a tensor")
        return argument


def _view(tensor: Tensor, device: torch.device) -> torch.Tensor:
    if not is_convertible(tensor.dtype):
        raise Inexpressible(f"torch has no {tensor.dtype}")
    dtype = TORCH[tensor.dtype.name]
    if not tensor.numel:
        return torch.empty(tensor.shape, dtype=dtype, device=device)
    storage = torch.from_numpy(tensor.memory.payload).view(dtype).to(device)
    return storage.as_strided(tensor.shape, tensor.strides, tensor.offset)
