"""Calls of elementwise operators cut into pieces, each a call of its own, so that goldens of large ones need no memory.

Only what the contract promises is used: in tensors of one shape, every element of an output depends on the elements at
its own place alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import structs

from conformance.call import Call
from conformance.case import Case, Success
from conformance.float_pass import SHARE
from conformance.golden import Golden, GoldenOutput
from conformance.measure import Measurement
from conformance.metrics import Metrics, Probes
from conformance.properties import Elementwise
from conformance.tensor import Array, Memory, Tensor

Pair = tuple[Metrics, Metrics | None]
"""Metrics of an output, and of its benchmark where there is one."""
PIECE = SHARE
"""Elements of a piece: what a thread of the measuring pass takes."""


def is_in_pieces(case: Case, call: Call) -> bool:
    """Whether a call is cut into pieces: it is large, and its contract and tensors allow it."""
    tensors = [argument for argument in call.arguments.values() if isinstance(argument, Tensor)]
    if not tensors or tensors[0].numel <= 2 * PIECE:
        return False
    elementwise = any(isinstance(promise, Elementwise) for promise in case.contract.properties)
    listed = any(isinstance(argument, tuple) for argument in call.arguments.values())
    stated = not isinstance(case.expectation, Success) or case.expectation.outputs is not None
    plain = all(one.shape == tensors[0].shape and _is_plain(one) for one in tensors)
    return elementwise and plain and not listed and not stated


def pieces(call: Call, inputs: Mapping[str, Array]) -> Iterator[tuple[slice, Call]]:
    """Parts of the flat outputs, each with the call that gives it; ``inputs`` are the elements before the call."""
    count = next(argument.numel for argument in call.arguments.values() if isinstance(argument, Tensor))
    for start in range(0, count, PIECE):
        part = slice(start, min(start + PIECE, count))
        arguments = {
            name: _cut(argument, inputs.get(name), part) if isinstance(argument, Tensor) else argument
            for name, argument in call.arguments.items()
        }
        yield part, structs.replace(call, arguments=arguments, workspaces=[])


class InPieces:
    """Metrics of the outputs of a call, and of their benchmarks, that are found piece by piece."""

    def __init__(self, call: Call, probes: Probes) -> None:
        self._outputs = {name: tensor for name, tensor in call.tensors(written=True) if tensor.numel}
        self._probes = probes
        self._measured: dict[str, tuple[Measurement, Measurement | None]] | None = None

    def add(self, part: slice, golden: Golden, benchmark: Mapping[str, Array] | None) -> bool:
        """Measure a part of the outputs; False where an answer is not one to be had in pieces."""
        given = {name: (golden[name], (benchmark or {}).get(name)) for name in self._outputs if name in golden}
        if self._measured is None:
            self._measured = {name: self._begun(name, second) for name, (_, second) in given.items()}
        if given.keys() != self._measured.keys():
            return False
        for name, (one, second) in given.items():
            measurement, beside = self._measured[name]
            if not isinstance(one, GoldenOutput) or one.law is not None or (second is None) != (beside is None):
                return False
            output = self._outputs[name].view().reshape(-1)[part]
            if not measurement.takes(one) or (beside is not None and not beside.takes(one)):
                return False
            measurement.add(one, output)
            if beside is not None and second is not None:
                beside.add(one, second)
        return True

    def pairs(self, inputs: Mapping[str, Array]) -> dict[str, Pair]:
        """Metrics of every output, and of its benchmark where there is one."""
        found = {}
        for name, (measurement, beside) in (self._measured or {}).items():
            output = self._outputs[name].view()
            found[name] = measurement.metrics(output, inputs), None if beside is None else beside.metrics(output)
        return found

    def _begun(self, name: str, benchmark: Array | None) -> tuple[Measurement, Measurement | None]:
        dtype = self._outputs[name].dtype
        return Measurement(dtype, self._probes), None if benchmark is None else Measurement(dtype, self._probes)


def _is_plain(tensor: Tensor) -> bool:
    return tensor.is_contiguous and tensor.dtype.numpy is not None and tensor.dtype.codes is None


def _cut(tensor: Tensor, elements: Array | None, part: slice) -> Tensor:
    """A part of a tensor; of what is only written no memory, since nobody may read it."""
    shape = (part.stop - part.start,)
    held = Memory(0) if elements is None else Memory.over(elements.reshape(-1)[part].view("uint8"))
    return Tensor(tensor.dtype, shape, (1,), 0, shape, tensor.format, held)
