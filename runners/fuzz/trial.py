"""A legal call that completed, and the same call made another way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from msgspec import structs

from conformance.call import Call
from conformance.contract import Contract
from conformance.dtype import DType
from conformance.golden import GoldenOutput
from conformance.outcome import Completed, Outcome, Unsupported
from conformance.runner import Reference
from conformance.standard import ComparisonClass
from conformance.tensor import Array, Shape, Tensor, new_tensor

Elements = Mapping[str, Array]
"""Parameter → contiguous copy of its elements."""


class Refused(Exception):
    """A call made another way that did not complete though the first one did."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A call of ``contract`` with what it gave; ``run`` runs others like it, ``reference`` says what is defined.

    ``inputs`` are the elements of every tensor that is read, as they were before the call.
    """

    contract: Contract
    call: Call
    run: Callable[[Call], Outcome]
    reference: Reference
    inputs: Elements = field(init=False)
    outputs: Elements = field(init=False)

    def __post_init__(self) -> None:
        read = [*self.call.tensors(written=False), *self.call.updated()]
        object.__setattr__(self, "inputs", {name: tensor.array().copy() for name, tensor in read})
        object.__setattr__(self, "outputs", self._completed(self.call))

    def dtype(self, name: str) -> DType:
        """Element type of a tensor."""
        return self._tensor(name).dtype

    def judged_as(self, *classes: ComparisonClass) -> list[str]:
        """Outputs of floating point whose contract names one of the comparison classes."""
        return [n for n in self.outputs if self.contract.outputs[n] in classes and self.dtype(n).is_float]

    def defined(self, name: str) -> Array:
        """Elements of an output (bool) of which the document says something."""
        golden = self.reference.golden(self.call)
        answer = None if isinstance(golden, Unsupported) else golden.get(name)
        free = answer.free if isinstance(answer, GoldenOutput) else None
        return np.ones(self.outputs[name].shape, np.bool_) if free is None else ~free

    @property
    def is_contiguous(self) -> bool:
        """Whether every tensor of the call is."""
        return all(
            tensor.is_contiguous for written in (True, False) for _, tensor in self.call.tensors(written=written)
        )

    def again(self, inputs: Elements, shape: Shape | None = None, aliases: Mapping[str, str] | None = None) -> Elements:
        """Outputs of the call with dense inputs of these elements; raises Refused.

        Outputs have ``shape``, by default their own, and those that are read too that of what is read; ``aliases``
        maps outputs to inputs whose memory they are.
        """
        made = {name: _dense(self.dtype(name), array) for name, array in inputs.items()}
        for name, output in self.outputs.items():
            shared = (aliases or {}).get(name)
            extent = output.shape if shape is None else shape
            made[name] = made[shared] if shared else made.get(name) or new_tensor(self.dtype(name), extent)
        return self._completed(structs.replace(self.call, arguments={**self.call.arguments, **made}, workspaces=[]))

    def _tensor(self, name: str) -> Tensor:
        tensor = self.call.arguments[name]
        assert isinstance(tensor, Tensor)
        return tensor

    def _completed(self, call: Call) -> Elements:
        outcome = self.run(call)
        if not isinstance(outcome, Completed):
            raise Refused(str(outcome))
        return {name: tensor.array() for name, tensor in call.tensors(written=True)}


def _dense(dtype: DType, array: Array) -> Tensor:
    tensor = new_tensor(dtype, array.shape)
    tensor.view()[...] = array
    return tensor


def difference(one: Array, other: Array) -> str:
    """Where two arrays differ, every NaN counted alike and both zeros too; "" when nowhere."""
    a, b = one.reshape(-1), other.reshape(-1)
    different = np.flatnonzero((a != b) & ~((a != a) & (b != b)))
    if not different.size:
        return ""
    at = int(different[0])
    return f"element {at} is {a[at]} in one and {b[at]} in the other, {different.size} of {a.size} differ"
